/** Chinese sentences stand without a space between them. */
export function joinSentences(sentences: readonly string[]): string {
  return sentences.join(' ').replaceAll('。 ', '。');
}
