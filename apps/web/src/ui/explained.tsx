import { Explain } from './explain.tsx';
import { InfoIcon } from './icons.tsx';

/** The name of a figure that says on a press how it is counted. */
export function Explained({ label, text }: { label: string; text: string }) {
  return (
    <Explain title={label} text={text}>
      <button type="button" className="inline-flex items-center gap-1 rounded hover:text-text">
        {label}
        <InfoIcon size={12} />
      </button>
    </Explain>
  );
}
