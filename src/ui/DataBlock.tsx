/** Structured data. A data block never runs; `<` is escaped so that no text can end it. */
export function DataBlock({ data }: { data: object }) {
  return <script type="application/ld+json">{JSON.stringify(data).replaceAll('<', '\\u003c')}</script>;
}
