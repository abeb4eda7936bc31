import type { Tool } from '../../contract/entities';
import { CURRENCY, TOOLS_IN_HTML } from '../../contract/limits';
import { safeHref } from '../../contract/links';

/** Data that the browser does not run. `<` is escaped, so that no text in the data can end the script element. */
function DataBlock({ data }: { data: object }) {
  return <script type="application/ld+json">{JSON.stringify(data).replaceAll('<', '\\u003c')}</script>;
}

const SCHEMA = 'https://schema.org';

function productOf(tool: Tool, origin: string) {
  const inStock = tool.availableQuantity >= tool.minimumOrderQuantity;
  const img = safeHref(tool.img);
  return {
    '@type': 'Product',
    name: tool.name,
    description: tool.description,
    sku: tool._id,
    image: img?.startsWith('/') ? origin + img : (img ?? undefined),
    brand: { '@type': 'Brand', name: 'Forgeline' },
    offers: {
      '@type': 'Offer',
      price: tool.price,
      priceCurrency: CURRENCY.toUpperCase(),
      availability: `${SCHEMA}/${inStock ? 'InStock' : 'OutOfStock'}`,
      url: `${origin}/purchase/${tool._id}`,
      eligibleQuantity: { '@type': 'QuantitativeValue', minValue: tool.minimumOrderQuantity },
    },
  };
}

/** Describes the tools on the page to search engines. */
export function ToolStructuredData({ tools, origin }: { tools: Tool[]; origin: string }) {
  const products = tools.slice(0, TOOLS_IN_HTML).map((tool) => productOf(tool, origin));
  return <DataBlock data={{ '@context': SCHEMA, '@graph': products }} />;
}
