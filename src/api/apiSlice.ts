import { original } from '@reduxjs/toolkit';
import { createApi } from '@reduxjs/toolkit/query/react';
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
  PlacedOrder,
  PriceOffer,
  Profile,
  ProfileDraft,
  RefundDraft,
  Review,
  ReviewDraft,
  ShipmentDraft,
  Tool,
  ToolChange,
  ToolDraft,
  User,
  UserWithToken,
} from '../contract/entities';
import { KEEP_UNUSED_DATA_SECONDS, ORDERS_PER_PAGE, MAX_REFETCHED_PAGES } from '../contract/limits';
import { failureOf } from '../contract/problem';
import { baseQuery } from './baseQuery';
import { listTag, onSuccess, orderTags, OWN_ORDERS, rowTag, TAGS, tagsAfterConflict } from './tags';
import { accessToken, clientSecrets, transientTokens } from './tokens';

const path = (...parts: string[]) => `/${parts.map(encodeURIComponent).join('/')}`;

interface StartPaymentOptions {
  order: string;
  /** Whether the customer has accepted a new price. It then becomes the order's price. */
  acceptsNewPrice?: true | undefined;
}

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
const authorizationHeader = (token: string | null) => ({ authorization: `Bearer ${token}` });
const idempotencyHeader = (key: string) => ({ 'idempotency-key': key });

/**
 * By default, a failed mutation is shown as a toast. These calls get no toast, because a form or page shows their
 * failure. Only the failure of `endSession` is not shown at all.
 */
const FAILURE_SHOWN_IN_PLACE = { failure: 'shown in place' } as const;

/** The calls of section A.7 of the specification, in the same order. The calls that section C adds are in between. */
export const apiSlice = createApi({
  reducerPath: 'api',
  baseQuery,
  tagTypes: TAGS,
  keepUnusedDataFor: KEEP_UNUSED_DATA_SECONDS,
  refetchOnFocus: true,
  refetchOnReconnect: true,
  invalidationBehavior: 'immediately',
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
      extraOptions: FAILURE_SHOWN_IN_PLACE,
      query: (body) => ({ url: '/tool', method: 'POST', body }),
      invalidatesTags: onSuccess(listTag('Tool')),
    }),
    listAllTools: build.query<Tool[], void>({
      query: () => '/tool/all',
      transformResponse: freeze<Tool>,
      providesTags: listTag('Tool'),
    }),
    editTool: build.mutation<Tool, { id: string; change: ToolChange; key: string }>({
      extraOptions: FAILURE_SHOWN_IN_PLACE,
      query: ({ id, change, key }) => ({
        url: path('tool', id),
        method: 'PATCH',
        body: change,
        headers: idempotencyHeader(key),
      }),
      /** Also invalidates after a failure, because a 409 means that another admin has changed the tool. */
      invalidatesTags: (_tool, _error, { id }) => [...listTag('Tool'), ...rowTag('Tool', id)],
    }),
    listReviews: build.query<Review[], void>({
      query: () => '/review',
      providesTags: listTag('Review'),
    }),
    addReview: build.mutation<Review, ReviewDraft>({
      extraOptions: FAILURE_SHOWN_IN_PLACE,
      query: (body) => ({ url: '/review', method: 'POST', body }),
      invalidatesTags: onSuccess(listTag('Review')),
    }),
    removeReview: build.mutation<void, string>({
      query: (id) => ({ url: path('review', id), method: 'DELETE' }),
      invalidatesTags: listTag('Review'),
    }),
    placeOrder: build.mutation<PlacedOrder, { draft: OrderDraft; key: string }>({
      extraOptions: FAILURE_SHOWN_IN_PLACE,
      query: ({ draft, key }) => ({ url: '/order', method: 'POST', body: draft, headers: idempotencyHeader(key) }),
      invalidatesTags: (_order, error, { draft: { toolId = '' } }) => {
        if (failureOf(error).problem?.code === 'price_changed') return [...listTag('Tool'), ...rowTag('Tool', toolId)];
        return error ? [] : [...listTag('Order'), OWN_ORDERS, ...listTag('Tool'), ...rowTag('Tool', toolId)];
      },
    }),
    listMyOrders: build.query<Order[], string>({
      query: (email) => ({ url: '/order', params: { email } }),
      transformResponse: freeze<Order>,
      providesTags: [OWN_ORDERS],
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
    countOrdersByStatus: build.query<OrderCounts, void>({
      query: () => '/order/counts',
      providesTags: listTag('Order'),
    }),
    getOrder: build.query<Order, string>({
      query: (id) => path('order', id),
      providesTags: (_order, _error, id) => rowTag('Order', id),
    }),
    deleteOrder: build.mutation<void, Pick<Order, '_id' | 'email'>>({
      query: ({ _id }) => ({ url: path('order', _id), method: 'DELETE' }),
      // After a success, only the admins' lists and counts and the tools are loaded again: the order is gone, and the
      // update below has removed it from the customer's list, which can have 10,000 orders. After a failure, all are
      // loaded again, for two reasons. The server may have deleted the order although its response was lost. And undoing
      // the update restores orders that were deleted in the meantime.
      invalidatesTags: (_void, error, { _id }) => [...(error ? orderTags(_id) : listTag('Order')), ...listTag('Tool')],
      async onQueryStarted({ _id, email }, { dispatch, queryFulfilled }) {
        const without = (orders: Order[]) => freeze(original(orders)!.filter((order) => order._id !== _id));
        const removal = dispatch(apiSlice.util.updateQueryData('listMyOrders', email, without));
        await queryFulfilled.catch(removal.undo);
      },
    }),
    shipOrder: build.mutation<Order, { order: string; shipment: ShipmentDraft }>({
      extraOptions: FAILURE_SHOWN_IN_PLACE,
      query: ({ order, shipment }) => ({ url: path('order', order, 'shipment'), method: 'POST', body: shipment }),
      invalidatesTags: (_order, _error, { order }) => orderTags(order),
    }),
    correctShipment: build.mutation<Order, { order: string; shipment: ShipmentDraft }>({
      extraOptions: FAILURE_SHOWN_IN_PLACE,
      query: ({ order, shipment }) => ({ url: path('order', order, 'shipment'), method: 'PUT', body: shipment }),
      invalidatesTags: (_order, _error, { order }) => orderTags(order),
    }),
    offerPrice: build.mutation<Order, { order: string } & PriceOffer>({
      extraOptions: FAILURE_SHOWN_IN_PLACE,
      query: ({ order, price }) => ({ url: path('order', order, 'price'), method: 'PUT', body: { price } }),
      invalidatesTags: (_order, _error, { order }) => [...orderTags(order), ...listTag('Tool')],
    }),
    refundOrder: build.mutation<Order, { order: string } & RefundDraft>({
      extraOptions: FAILURE_SHOWN_IN_PLACE,
      query: ({ order, ...body }) => ({ url: path('order', order, 'refund'), method: 'POST', body }),
      invalidatesTags: (_order, _error, { order }) => [...orderTags(order), ...listTag('Tool')],
    }),
    payOrder: build.mutation<Order, PaymentDraft>({
      extraOptions: FAILURE_SHOWN_IN_PLACE,
      query: (body) => ({ url: path('order', body.order), method: 'PATCH', body }),
      invalidatesTags: (_order, error, { order }) => (error ? [] : orderTags(order)),
    }),
    createPaymentIntent: build.mutation<Omit<Intent, 'clientSecret'>, StartPaymentBody & StartPaymentOptions>({
      extraOptions: FAILURE_SHOWN_IN_PLACE,
      query: ({ order, totalPrice }) => ({
        url: '/create-payment-intent',
        method: 'POST',
        params: { order },
        body: { totalPrice },
      }),
      transformResponse: ({ clientSecret, ...intent }: Intent) => {
        clientSecrets.set(intent.order, clientSecret);
        return intent;
      },
      invalidatesTags: (intent, error, { order, acceptsNewPrice }) =>
        intent && acceptsNewPrice ? orderTags(order) : tagsAfterConflict(error, order),
    }),
    signInUser: build.mutation<User, string>({
      extraOptions: FAILURE_SHOWN_IN_PLACE,
      query: (email) => ({ url: path('user', email), method: 'PUT', body: { email } }),
      transformResponse: ({ token, ...user }: UserWithToken) => {
        accessToken.write(token);
        return user;
      },
    }),
    /**
     * The session calls this after it has removed the access token from storage. With `keepalive`, the browser sends
     * the request even if the page is being closed.
     */
    endSession: build.mutation<void, void>({
      extraOptions: FAILURE_SHOWN_IN_PLACE,
      query: () => ({
        url: '/session',
        method: 'DELETE',
        headers: authorizationHeader(transientTokens.endedAccessToken),
        keepalive: true,
      }),
    }),
    listUsers: build.query<ListedUser[], void>({
      query: () => '/user',
      providesTags: listTag('User'),
    }),
    makeAdmin: build.mutation<User, string>({
      query: (email) => ({ url: path('user', 'admin', email), method: 'PUT' }),
      invalidatesTags: onSuccess(listTag('User')),
    }),
    checkAdmin: build.query<AdminStatus, string>({
      query: (email) => path('admin', email),
      providesTags: (_status, _error, email) => rowTag('User', email),
    }),
    saveProfile: build.mutation<Profile, ProfileDraft>({
      extraOptions: FAILURE_SHOWN_IN_PLACE,
      query: (body) => ({ url: '/profile', method: 'POST', body }),
      invalidatesTags: onSuccess(listTag('Profile')),
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
  useListReviewsQuery,
  useAddReviewMutation,
  useRemoveReviewMutation,
  usePlaceOrderMutation,
  useListMyOrdersQuery,
  useCountOrdersQuery,
  useListOrderPagesInfiniteQuery,
  useCountOrdersByStatusQuery,
  useGetOrderQuery,
  useDeleteOrderMutation,
  useShipOrderMutation,
  useCorrectShipmentMutation,
  useOfferPriceMutation,
  useRefundOrderMutation,
  usePayOrderMutation,
  useCreatePaymentIntentMutation,
  useSignInUserMutation,
  useListUsersQuery,
  useMakeAdminMutation,
  useCheckAdminQuery,
  useSaveProfileMutation,
  useGetProfileQuery,
} = apiSlice;
