import type { Tool } from '../../contract/entities';
import { CURRENCY } from '../../contract/limits';
import { safeHref } from '../../contract/links';
import { toolPath } from '../../contract/toolPath';
import { hasMinimumInStock } from './toolStock';

const SCHEMA = 'https://schema.org';

/** Describes the open tool to search engines. */
export function ToolStructuredData({ tool, origin }: { tool: Tool; origin: string }) {
  const img = safeHref(tool.img);
  const product = {
    '@context': SCHEMA,
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
      availability: `${SCHEMA}/${hasMinimumInStock(tool) ? 'InStock' : 'OutOfStock'}`,
      url: origin + toolPath(tool._id),
      eligibleQuantity: { '@type': 'QuantitativeValue', minValue: tool.minimumOrderQuantity },
    },
  };
  // The browser does not run these data. `<` is escaped, so that no text in them can end the script element.
  return <script type="application/ld+json">{JSON.stringify(product).replaceAll('<', '\\u003c')}</script>;
}
