/** Sets the thousands of plain decimal text apart: 12345.6789 is 12,345.6789. For screens; inputs and files keep plain text. */
export function groupThousands(text: string): string {
  const [whole = '', ...fraction] = text.split('.');
  return [whole.replaceAll(/\B(?=(\d{3})+$)/g, ','), ...fraction].join('.');
}
