import { useEffect, useRef } from 'react';
import { useT } from '../../i18n/i18n.ts';
import { toast } from '../../ui/toast-store.ts';
import type { Card } from './card.ts';
import { drawCard, loadCardFont, paletteOf } from './draw-card.ts';
import type { CardWords } from './draw-card.ts';

/** Draws the card in the colours of the element that wears the theme, and hands the picture out. */
export function useCardPicture(card: Card, words: CardWords, theme: string) {
  const t = useT();
  const canvas = useRef<HTMLCanvasElement>(null);
  const wearer = useRef<HTMLDivElement>(null);
  const drawn = JSON.stringify([card, words, theme]);

  useEffect(() => {
    let wanted = true;
    void loadCardFont().then(() => {
      const context = canvas.current?.getContext('2d');
      if (wanted && context && wearer.current) drawCard(context, card, paletteOf(wearer.current), words);
    });
    return () => {
      wanted = false;
    };
    // oxlint-disable-next-line react/exhaustive-deps -- `drawn` is everything that the picture shows.
  }, [drawn]);

  const picture = () =>
    new Promise<Blob>((resolve, reject) =>
      canvas.current?.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture is empty'))), 'image/png'),
    );
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': picture() })]);
      toast.success(t('share.copied'));
    } catch {
      toast.error(t('share.copyFailed'));
    }
  }
  async function download(): Promise<void> {
    const url = URL.createObjectURL(await picture());
    const link = document.createElement('a');
    link.href = url;
    link.download = `hunter-${card.title.replaceAll(/[^\p{L}\p{N}-]+/gu, '-').slice(0, 40)}.png`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 0);
  }

  return { canvas, wearer, copy, download };
}
