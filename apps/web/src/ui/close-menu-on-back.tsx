import { useCloseOnBack } from './close-on-back.ts';

/** In an open menu. Not null: with JSX of its own the build keeps React in one file, which is smaller than its parts. */
export default function CloseMenuOnBack({ onBack }: { onBack: () => void }) {
  useCloseOnBack(true, onBack);
  return <></>;
}
