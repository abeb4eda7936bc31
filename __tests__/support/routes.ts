type Access = 'public' | 'customer' | 'admin';

/**
 * Every call of the shop and who may make it: table A.7 of the specification and our own calls. `GET /order` is open to
 * customers too, with their own email as a parameter.
 */
export const ACCESS_BY_CALL = {
  'GET /tool': 'public',
  'GET /tool/:id': 'public',
  'POST /tool': 'admin',
  'GET /tool/all': 'admin',
  'GET /tool.csv': 'admin',
  'POST /tool/import': 'admin',
  'PATCH /tool/:id': 'admin',
  'POST /picture': 'admin',
  'GET /review': 'public',
  'POST /review': 'customer',
  'DELETE /review/:id': 'admin',
  'POST /order': 'customer',
  'GET /order': 'admin',
  'GET /order.csv': 'admin',
  'GET /order/counts': 'admin',
  'GET /order/:id': 'customer',
  'DELETE /order/:id': 'customer',
  'PATCH /order/:id': 'customer',
  'POST /order/:id/shipment': 'admin',
  'PUT /order/:id/shipment': 'admin',
  'PUT /order/:id/price': 'admin',
  'POST /order/:id/refund': 'admin',
  'POST /create-payment-intent': 'customer',
  'PUT /user/:email': 'customer',
  'DELETE /session': 'customer',
  'GET /user': 'admin',
  'PUT /user/admin/:email': 'admin',
  'DELETE /user/admin/:email': 'admin',
  'GET /admin/:email': 'customer',
  'POST /profile': 'customer',
  'GET /profile/:email': 'customer',
} as const satisfies Record<string, Access>;

export type ApiCall = keyof typeof ACCESS_BY_CALL;
