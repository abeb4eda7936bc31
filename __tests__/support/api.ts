/** The shop that all page and browser tests of a run share. */
export const shopOrigin = () => process.env['SHOP_ORIGIN']!;

export interface Called {
  status: number;
  headers: Headers;
  body: Record<string, unknown> & { token?: string; code?: string };
}

type Options = { method?: string; token?: string; body?: unknown; headers?: Record<string, string> };

/** One call of the shop, as any client makes it. */
export async function callShop(origin: string, path: string, options: Options = {}): Promise<Called> {
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
  return { status: response.status, headers: response.headers, body: text ? (JSON.parse(text) as Called['body']) : {} };
}

export const putUser = (origin: string, email: string, token?: string, body: unknown = { email }) =>
  callShop(origin, `/user/${encodeURIComponent(email)}`, { method: 'PUT', token, body });
