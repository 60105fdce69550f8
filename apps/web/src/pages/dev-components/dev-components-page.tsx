export default function DevComponentsPage() {
  return null;
}
