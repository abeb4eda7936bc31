/** The origin of the shop that all page and browser tests of a run share. */
export const shopOrigin = () => process.env['SHOP_ORIGIN']!;

export interface ShopResponse {
  status: number;
  headers: Headers;
  body: Record<string, unknown> & { token?: string; code?: string };
}

type CallOptions = { method?: string; token?: string; body?: unknown; headers?: Record<string, string> };

export async function callShop(origin: string, path: string, options: CallOptions = {}): Promise<ShopResponse> {
  const { method = 'GET', token, body, headers } = options;
  const response = await fetch(origin + path, {
    method,
    headers: {
      accept: 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text ? (JSON.parse(text) as ShopResponse['body']) : {},
  };
}

export const putUser = (origin: string, email: string, token?: string, body: unknown = { email }) =>
  callShop(origin, `/user/${encodeURIComponent(email)}`, { method: 'PUT', token, body });
