import { original, type ThunkDispatch, type UnknownAction } from '@reduxjs/toolkit';
import { createApi, type EndpointDefinitions, type InfiniteData, type RootState } from '@reduxjs/toolkit/query/react';
import type {
  AdminStatus,
  Intent,
  StartPaymentBody,
  ListedUser,
  Order,
  OrderCounts,
  OrderDraft,
  OrderStatus,
  PaymentDraft,
  PictureDraft,
  PlacedOrder,
  PriceOffer,
  Profile,
  ProfileDraft,
  RefundDraft,
  Review,
  ReviewDraft,
  ShipmentDraft,
  StoredPicture,
  Tool,
  ToolChange,
  ToolDraft,
  ToolImport,
  User,
  UserWithToken,
} from '../contract/entities';
import { KEEP_UNUSED_DATA_SECONDS, ORDERS_PER_PAGE, MAX_REFETCHED_PAGES } from '../contract/limits';
import { randomKey } from '../contract/randomKey';
import { baseQuery } from './baseQuery';
import { orderSent } from './events';
import { saveCsv } from './saveCsv';
import { ALL_TOOLS, listTag, rowTag, TAGS, tagsOf, unlessRefused } from './tags';
import { accessToken, clientSecrets } from './tokens';

const path = (...parts: string[]) => `/${parts.map(encodeURIComponent).join('/')}`;

/** The changed order, with the tool whose stock changes too. */
type OrderRef = Pick<Order, '_id' | 'toolId'>;

/**
 * Freezes the array, so that Immer skips it. Otherwise Immer would freeze all rows of a long list in one task, which
 * would block the page.
 */
const freeze = <T>(rows: T[]) => Object.freeze(rows) as T[];
interface OrderPage {
  orders: Order[];
  /** The cursor of the next page, if there is one. */
  next: string | undefined;
}
interface OrderListQuery {
  status?: OrderStatus | undefined;
  q?: string | undefined;
}
const nextCursor = (link: string | null | undefined) => link?.match(/after=(\d+)/)?.[1];
const idempotencyHeader = (key: string) => ({ 'idempotency-key': key });

/** A million orders are about 300 MB. */
const DOWNLOAD_TIMEOUT_MS = 3_600_000;
const CSV_HEADER = { 'content-type': 'text/csv' };
const tagsOfImport = ({ rows }: ToolImport) => [
  ...listTag('Tool'),
  ...rows.flatMap(({ action, _id }) => (action === 'change' && _id ? rowTag('Tool', _id) : [])),
];

const tagsOfOrderAndTool = ({ _id, toolId }: OrderRef) => [...tagsOf('Order', _id), ...tagsOf('Tool', toolId)];

/** @returns undefined if the call failed. Its caller shows the failure. */
const resultOf = <T>(queryFulfilled: Promise<{ data: T }>) => queryFulfilled.catch(() => undefined);

type State = RootState<EndpointDefinitions, string, 'api'>;
type Dispatch = ThunkDispatch<State, unknown, UnknownAction>;
type Lifecycle<T> = { dispatch: Dispatch; getState(): State; queryFulfilled: Promise<{ data: T }> };

/** Shows a changed order in the admins' lists at once, or removes a deleted one. A long list is not loaded again. */
function showInPages(id: string, changed: Order | undefined, dispatch: Dispatch, state: State): void {
  const { selectCachedArgsForQuery, updateQueryData } = apiSlice.util;
  for (const arg of selectCachedArgsForQuery(state, 'listOrderPages')) {
    const isListed = changed && (arg.status === undefined || arg.status === changed.status);
    const change = (row: Order) => (row._id !== id ? [row] : isListed ? [changed] : []);
    const withChange = (draft: InfiniteData<OrderPage, string | undefined>) => {
      const { pages, pageParams } = original(draft)!;
      return { pageParams, pages: pages.map((page) => ({ ...page, orders: freeze(page.orders.flatMap(change)) })) };
    };
    dispatch(updateQueryData('listOrderPages', arg, withChange));
  }
}

async function showChangedOrder(_id: string, { dispatch, getState, queryFulfilled }: Lifecycle<Order>): Promise<void> {
  const changed = await resultOf(queryFulfilled);
  if (!changed) return;
  showInPages(_id, changed.data, dispatch, getState());
  dispatch(apiSlice.util.updateQueryData('getOrder', _id, () => changed.data));
}

/** The calls of section A.7 of the specification, in the same order. The calls that section C adds are in between. */
export const apiSlice = createApi({
  reducerPath: 'api',
  baseQuery,
  tagTypes: TAGS,
  keepUnusedDataFor: KEEP_UNUSED_DATA_SECONDS,
  refetchOnFocus: true,
  refetchOnReconnect: true,
  endpoints: (build) => ({
    listTools: build.query<Tool[], void>({
      query: () => '/tool',
      transformResponse: freeze<Tool>,
      // The whole list has one tag, because every change of a row invalidates the list. A tag for each of 10,000 rows
      // would take time and have no effect.
      providesTags: listTag('Tool'),
    }),
    getTool: build.query<Tool, string>({
      query: (id) => path('tool', id),
      providesTags: (_tool, _error, id) => rowTag('Tool', id),
    }),
    addTool: build.mutation<Tool, ToolDraft>({
      query: (body) => ({ url: '/tool', method: 'POST', body }),
      invalidatesTags: (_tool, error) => unlessRefused(error, listTag('Tool')),
    }),
    listAllTools: build.query<Tool[], void>({
      query: () => '/tool/all',
      transformResponse: freeze<Tool>,
      providesTags: listTag('Tool'),
    }),
    editTool: build.mutation<Tool, { id: string; change: ToolChange; key?: string }>({
      query: ({ id, change, key = randomKey() }) => ({
        url: path('tool', id),
        method: 'PATCH',
        body: change,
        headers: idempotencyHeader(key),
      }),
      extraOptions: { resends: 'the tool' },
      invalidatesTags: (_tool, error, { id }) => unlessRefused(error, tagsOf('Tool', id)),
      async onQueryStarted({ id }, { dispatch, queryFulfilled }) {
        const edited = await resultOf(queryFulfilled);
        const withEdited = (tools: Tool[]) =>
          freeze(original(tools)!.map((tool) => (tool._id === id ? edited!.data : tool)));
        if (edited) dispatch(apiSlice.util.updateQueryData('listAllTools', undefined, withEdited));
      },
    }),
    addPicture: build.mutation<StoredPicture, PictureDraft>({
      query: (body) => ({ url: '/picture', method: 'POST', body }),
    }),
    downloadTools: build.mutation<null, void>({
      query: () => ({ url: '/tool.csv', responseHandler: saveCsv }),
    }),
    /** Says what an import would do, without doing it. */
    previewToolImport: build.mutation<ToolImport, ArrayBuffer>({
      query: (body) => ({ url: '/tool/import', params: { dry: true }, method: 'POST', body, headers: CSV_HEADER }),
      transformResponse: (planned: ToolImport) => ({ ...planned, rows: freeze(planned.rows) }),
    }),
    importTools: build.mutation<ToolImport, { file: ArrayBuffer; key: string }>({
      query: ({ file, key }) => ({
        url: '/tool/import',
        method: 'POST',
        body: file,
        headers: { ...CSV_HEADER, ...idempotencyHeader(key) },
      }),
      transformResponse: (done: ToolImport) => ({ ...done, rows: freeze(done.rows) }),
      extraOptions: { resends: 'your list' },
      // After a failure, the changed tools are unknown.
      invalidatesTags: (done, error) => unlessRefused(error, done ? tagsOfImport(done) : ALL_TOOLS),
    }),
    /** All reviews, or those of the tool with this id. */
    listReviews: build.query<Review[], string | void>({
      query: (tool) => ({ url: '/review', ...(tool && { params: { tool } }) }),
      providesTags: listTag('Review'),
    }),
    addReview: build.mutation<Review, ReviewDraft>({
      query: (body) => ({ url: '/review', method: 'POST', body }),
      invalidatesTags: (_review, error) => unlessRefused(error, listTag('Review')),
    }),
    removeReview: build.mutation<void, string>({
      query: (id) => ({ url: path('review', id), method: 'DELETE' }),
      invalidatesTags: (_void, error) => unlessRefused(error, listTag('Review')),
      async onQueryStarted(id, { dispatch, queryFulfilled }) {
        const without = (reviews: Review[]) => reviews.filter(({ _id }) => _id !== id);
        if (await resultOf(queryFulfilled)) dispatch(apiSlice.util.updateQueryData('listReviews', undefined, without));
      },
    }),
    placeOrder: build.mutation<PlacedOrder, { draft: OrderDraft; key: string }>({
      query: ({ draft, key }) => ({ url: '/order', method: 'POST', body: draft, headers: idempotencyHeader(key) }),
      extraOptions: { resends: 'your order' },
      invalidatesTags: (_order, error, { draft: { toolId = '' } }) =>
        unlessRefused(error, [...listTag('Order'), ...tagsOf('Tool', toolId)]),
      async onQueryStarted({ draft: { toolId, totalQuantity } }, { dispatch, queryFulfilled }) {
        dispatch(orderSent({ toolId, totalQuantity }));
        const placed = (await resultOf(queryFulfilled))?.data;
        const withPlaced = (orders: Order[]) => {
          const known = original(orders)!;
          return known.some(({ _id }) => _id === placed!._id) ? known : freeze([placed!, ...known]);
        };
        if (placed) dispatch(apiSlice.util.updateQueryData('listMyOrders', placed.email, withPlaced));
      },
    }),
    listMyOrders: build.query<Order[], string>({
      query: (email) => ({ url: '/order', params: { email } }),
      transformResponse: freeze<Order>,
      providesTags: listTag('Order'),
    }),
    /** All orders, for admins. Pages use `countOrders` and `listOrderPages`, because a shop can have a million orders. */
    listOrders: build.query<Order[], void>({
      query: () => '/order',
      transformResponse: freeze<Order>,
      providesTags: listTag('Order'),
    }),
    countOrders: build.query<number, void>({
      query: () => ({ url: '/order', headers: { prefer: 'return=minimal' } }),
      transformResponse: (_rows, meta) => Number(meta?.response?.headers.get('x-total-count')),
      providesTags: listTag('Order'),
    }),
    listOrderPages: build.infiniteQuery<OrderPage, OrderListQuery, string | undefined>({
      infiniteQueryOptions: { initialPageParam: undefined, getNextPageParam: ({ next }) => next },
      query: ({ queryArg, pageParam }) => ({
        url: '/order',
        params: { ...queryArg, limit: ORDERS_PER_PAGE, after: pageParam },
      }),
      transformResponse: (orders: Order[], meta) => ({
        orders: freeze(orders),
        next: nextCursor(meta?.response?.headers.get('link')),
      }),
      providesTags: (data) => ((data?.pages.length ?? 0) > MAX_REFETCHED_PAGES ? [] : listTag('Order')),
    }),
    downloadOrders: build.mutation<null, OrderListQuery>({
      query: (params) => ({
        url: '/order.csv',
        params,
        responseHandler: saveCsv,
        timeout: DOWNLOAD_TIMEOUT_MS,
      }),
    }),
    countOrdersByStatus: build.query<OrderCounts, void>({
      query: () => '/order/counts',
      providesTags: listTag('Order'),
    }),
    getOrder: build.query<Order, string>({
      query: (id) => path('order', id),
      providesTags: (_order, _error, id) => rowTag('Order', id),
    }),
    deleteOrder: build.mutation<void, OrderRef & Pick<Order, 'email'>>({
      query: ({ _id }) => ({ url: path('order', _id), method: 'DELETE' }),
      invalidatesTags: (_void, error, order) => unlessRefused(error, tagsOfOrderAndTool(order)),
      async onQueryStarted({ _id, email }, { dispatch, getState, queryFulfilled }) {
        const without = (orders: Order[]) => freeze(original(orders)!.filter((order) => order._id !== _id));
        const removal = dispatch(apiSlice.util.updateQueryData('listMyOrders', email, without));
        if (await resultOf(queryFulfilled)) showInPages(_id, undefined, dispatch, getState());
        else removal.undo();
      },
    }),
    shipOrder: build.mutation<Order, { order: OrderRef; shipment: ShipmentDraft }>({
      query: ({ order, shipment }) => ({ url: path('order', order._id, 'shipment'), method: 'POST', body: shipment }),
      extraOptions: { resends: 'the shipment' },
      invalidatesTags: (_order, error, { order }) => unlessRefused(error, tagsOf('Order', order._id)),
      onQueryStarted: ({ order }, api) => showChangedOrder(order._id, api),
    }),
    correctShipment: build.mutation<Order, { order: OrderRef; shipment: ShipmentDraft }>({
      query: ({ order, shipment }) => ({
        url: path('order', order._id, 'shipment'),
        method: 'PUT',
        body: shipment,
        headers: idempotencyHeader(randomKey()),
      }),
      extraOptions: { resends: 'the shipment' },
      invalidatesTags: (_order, error, { order }) => unlessRefused(error, tagsOf('Order', order._id)),
      onQueryStarted: ({ order }, api) => showChangedOrder(order._id, api),
    }),
    offerPrice: build.mutation<Order, { order: OrderRef } & PriceOffer>({
      query: ({ order, ...body }) => ({ url: path('order', order._id, 'price'), method: 'PUT', body }),
      extraOptions: { resends: 'the price' },
      invalidatesTags: (_order, error, { order }) => unlessRefused(error, tagsOfOrderAndTool(order)),
      onQueryStarted: ({ order }, api) => showChangedOrder(order._id, api),
    }),
    refundOrder: build.mutation<Order, { order: OrderRef; refund: RefundDraft; key: string }>({
      query: ({ order, refund, key }) => ({
        url: path('order', order._id, 'refund'),
        method: 'POST',
        body: refund,
        headers: idempotencyHeader(key),
      }),
      extraOptions: { resends: 'the refund' },
      invalidatesTags: (_order, error, { order }) => unlessRefused(error, tagsOfOrderAndTool(order)),
      onQueryStarted: ({ order }, api) => showChangedOrder(order._id, api),
    }),
    payOrder: build.mutation<Order, PaymentDraft>({
      query: (body) => ({ url: path('order', body.order), method: 'PATCH', body }),
      extraOptions: { resends: 'your payment confirmation' },
      // If the hold has ended, a payment takes the stock again. After a failure, the tool is unknown.
      invalidatesTags: (paid, error, { order }) =>
        unlessRefused(error, [...tagsOf('Order', order), ...(paid ? tagsOf('Tool', paid.toolId) : ALL_TOOLS)]),
      onQueryStarted: ({ order }, api) => showChangedOrder(order, api),
    }),
    /** Extends the hold on the stock, or takes the stock again. */
    createPaymentIntent: build.mutation<Omit<Intent, 'clientSecret'>, { order: OrderRef } & StartPaymentBody>({
      query: ({ order, ...body }) => ({
        url: '/create-payment-intent',
        method: 'POST',
        params: { order: order._id },
        body,
      }),
      transformResponse: ({ clientSecret, ...intent }: Intent) => {
        clientSecrets.set(intent.order, clientSecret);
        return intent;
      },
      invalidatesTags: (_intent, error, { order }) => unlessRefused(error, tagsOfOrderAndTool(order)),
    }),
    signInUser: build.mutation<User, string>({
      query: (email) => ({ url: path('user', email), method: 'PUT', body: { email } }),
      transformResponse: ({ token, ...user }: UserWithToken) => {
        accessToken.write(token);
        return user;
      },
      /** The role can change whenever the server looks at it, for example once the email is verified. */
      async onQueryStarted(email, { dispatch, getState, queryFulfilled }) {
        const user = (await resultOf(queryFulfilled))?.data;
        const known = apiSlice.endpoints.checkAdmin.select(email)(getState()).data;
        if (user && known && known.admin !== (user.role === 'admin'))
          dispatch(apiSlice.util.invalidateTags(rowTag('User', email)));
      },
    }),
    /**
     * The session calls this after it has removed the access token from storage. With `keepalive`, the browser sends
     * the request even if the page is being closed.
     */
    endSession: build.mutation<void, void>({
      query: () => ({
        url: '/session',
        method: 'DELETE',
        keepalive: true,
      }),
    }),
    listUsers: build.query<ListedUser[], void>({
      query: () => '/user',
      providesTags: listTag('User'),
    }),
    makeAdmin: build.mutation<User, string>({
      query: (email) => ({ url: path('user', 'admin', email), method: 'PUT' }),
      invalidatesTags: (_user, error, email) => unlessRefused(error, tagsOf('User', email)),
    }),
    undoMakeAdmin: build.mutation<void, string>({
      query: (email) => ({ url: path('user', 'admin', email), method: 'DELETE' }),
      invalidatesTags: (_void, error, email) => unlessRefused(error, tagsOf('User', email)),
    }),
    checkAdmin: build.query<AdminStatus, string>({
      query: (email) => path('admin', email),
      providesTags: (_status, _error, email) => rowTag('User', email),
    }),
    saveProfile: build.mutation<Profile, ProfileDraft>({
      query: (body) => ({ url: '/profile', method: 'POST', body }),
      invalidatesTags: (_profile, error) => unlessRefused(error, listTag('Profile')),
    }),
    getProfile: build.query<Profile, string>({
      query: (email) => path('profile', email),
      providesTags: listTag('Profile'),
    }),
  }),
});

export const {
  useListToolsQuery,
  useGetToolQuery,
  useAddToolMutation,
  useListAllToolsQuery,
  useEditToolMutation,
  useAddPictureMutation,
  useDownloadToolsMutation,
  usePreviewToolImportMutation,
  useImportToolsMutation,
  useListReviewsQuery,
  useAddReviewMutation,
  useRemoveReviewMutation,
  usePlaceOrderMutation,
  useListMyOrdersQuery,
  useCountOrdersQuery,
  useListOrderPagesInfiniteQuery,
  useDownloadOrdersMutation,
  useCountOrdersByStatusQuery,
  useGetOrderQuery,
  useDeleteOrderMutation,
  useShipOrderMutation,
  useCorrectShipmentMutation,
  useOfferPriceMutation,
  useRefundOrderMutation,
  usePayOrderMutation,
  useCreatePaymentIntentMutation,
  useListUsersQuery,
  useMakeAdminMutation,
  useUndoMakeAdminMutation,
  useCheckAdminQuery,
  useSaveProfileMutation,
  useGetProfileQuery,
} = apiSlice;
