/** The mark beside the shop's name. */
export function AnvilIcon() {
  return (
    <svg width="30" height="22" viewBox="0 0 30 22" fill="currentColor" aria-hidden="true">
      <path d="M0 2h9v7.5C5 9 1.4 6.5 0 2Zm10.5-2H30v4.5c-4.2 0-7 2-8 5V13c0 2.2 1.4 3.7 4 4.5V22H9v-4.5c2.6-.8 4-2.3 4-4.5v-3h-2.5V0Z" />
    </svg>
  );
}
