interface WorkerShop {
  origin: string;
  databaseUrl: string;
}

/** The shop that the page and browser tests of this worker use, one file after another. */
function workerShop(): WorkerShop {
  const shops = JSON.parse(process.env['SHOPS']!) as WorkerShop[];
  return shops[(Number(process.env['JEST_WORKER_ID']) - 1) % shops.length]!;
}

export const shopOrigin = () => workerShop().origin;
export const shopDatabaseUrl = () => workerShop().databaseUrl;

interface ShopResponse {
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
