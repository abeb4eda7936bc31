import { Type, type Static, type TProperties } from 'typebox';
import { ERROR_TITLES } from './errorCodes';
import { MAX_PRICE, MAX_QUANTITY, MAX_RATING, MIN_RATING, MAX_LENGTH } from './limits';

/** Allows tabs and line breaks, but no other control characters. */
const NO_CONTROL_CHARACTERS = '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f]*$';
const strictObject = <P extends TProperties>(properties: P, $id?: string) =>
  Type.Object(properties, { additionalProperties: false, ...($id ? { $id } : {}) });
const NOT_BLANK = NO_CONTROL_CHARACTERS.replace('^', '^(?=[\\s\\S]*\\S)');
export const TEXT_PATTERNS = [NO_CONTROL_CHARACTERS, NOT_BLANK];
const text = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: NOT_BLANK });
const optionalText = (maxLength: number) => Type.String({ maxLength, pattern: NO_CONTROL_CHARACTERS });
/** `isPhoneLongEnough` checks the format `phone`. Orders and profiles of earlier versions may have shorter numbers. */
const phone = Type.String({ minLength: 1, maxLength: MAX_LENGTH.phone, pattern: NOT_BLANK, format: 'phone' });
/** `safeHref` checks the format `link`, and also returns the form in which the link is stored. */
const link = Type.String({ minLength: 1, maxLength: MAX_LENGTH.link, format: 'link' });
const wholeNumber = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum });

export const Id = Type.String({ minLength: 1, maxLength: 64 });
export const Email = Type.String({ minLength: 3, maxLength: MAX_LENGTH.email, pattern: NO_CONTROL_CHARACTERS });
const price = wholeNumber(1, MAX_PRICE);
const quantity = wholeNumber(1, MAX_QUANTITY);

const toolFields = {
  name: text(MAX_LENGTH.name),
  price,
  minimumOrderQuantity: quantity,
  availableQuantity: wholeNumber(0, MAX_QUANTITY),
  description: text(MAX_LENGTH.description),
  img: link,
};
export const ToolDraft = strictObject(toolFields);
/**
 * A tool with `onSale: false` is listed only for admins and cannot be ordered. For all other tools, the field is
 * missing.
 */
export const Tool = strictObject({ _id: Id, ...toolFields, onSale: Type.Optional(Type.Literal(false)) });
/**
 * The fields of a tool that an edit replaces. The stock is not among them, because customers may order at the same
 * time. `stockChange` adds to it instead.
 */
const editableFields = {
  name: Type.Optional(toolFields.name),
  price: Type.Optional(price),
  minimumOrderQuantity: Type.Optional(quantity),
  description: Type.Optional(toolFields.description),
  img: Type.Optional(link),
  onSale: Type.Optional(Type.Boolean()),
};
export const ToolChange = strictObject({
  ...editableFields,
  stockChange: Type.Optional(wholeNumber(-MAX_QUANTITY, MAX_QUANTITY)),
  /**
   * What the admin saw in the changed fields before. If another admin has changed one of them since, the edit is
   * refused.
   */
  was: Type.Optional(strictObject(editableFields)),
});

/** A new tool in the spreadsheet of tools. */
export const ToolSheetDraft = strictObject({ ...toolFields, onSale: Type.Optional(Type.Boolean()) });
/** The changed cells of a tool in the spreadsheet. */
export const ToolSheetChange = strictObject({
  ...editableFields,
  availableQuantity: Type.Optional(toolFields.availableQuantity),
  knownQuantity: Type.Optional(toolFields.availableQuantity),
});
const cell = Type.Union([Type.String(), Type.Integer(), Type.Boolean()]);
/** What the import of a spreadsheet does, or with `dry` would do. */
export const ToolImport = strictObject({
  counts: strictObject({ add: Type.Integer(), change: Type.Integer(), same: Type.Integer(), error: Type.Integer() }),
  /** What concerns the whole file, for example that it cannot change the stock. */
  notes: Type.Array(Type.String()),
  rows: Type.Array(
    strictObject({
      /** The line of the file on which the row begins. */
      line: Type.Integer(),
      action: Type.Union([Type.Literal('add'), Type.Literal('change'), Type.Literal('same'), Type.Literal('error')]),
      _id: Type.Optional(Type.String()),
      name: Type.String(),
      changes: Type.Optional(Type.Array(strictObject({ column: Type.String(), from: cell, to: cell }))),
      errors: Type.Optional(Type.Array(strictObject({ column: Type.String(), message: Type.String() }))),
    }),
  ),
});

/** An uploaded picture in three widths, each a WebP or JPEG file in Base64. */
export const PictureDraft = strictObject({ 384: Type.String(), 768: Type.String(), 1536: Type.String() });
/** The path of the stored picture, for a tool's `img`. */
export const StoredPicture = strictObject({ img: Type.String() });

const reviewFields = {
  description: text(MAX_LENGTH.description),
  ratings: wholeNumber(MIN_RATING, MAX_RATING),
  img: link,
};
export const ReviewDraft = strictObject({
  name: Type.Optional(optionalText(MAX_LENGTH.name)),
  ...reviewFields,
  /** A tool that the author has paid for. */
  toolId: Type.Optional(Id),
});
/** `toolId` and `toolName` are missing if the review is about no tool, or about one that is not for sale anymore. */
export const Review = strictObject({
  _id: Id,
  name: Type.String(),
  ...reviewFields,
  toolId: Type.Optional(Id),
  toolName: Type.Optional(Type.String()),
});

export const OrderDraft = strictObject({
  client: Type.Optional(optionalText(MAX_LENGTH.name)),
  email: Type.Optional(Email),
  price: Type.Optional(Type.Union([price, Type.Null()])),
  productName: text(MAX_LENGTH.name),
  address: text(MAX_LENGTH.address),
  phone,
  reference: Type.Optional(optionalText(MAX_LENGTH.reference)),
  totalQuantity: quantity,
  toolId: Type.Optional(Type.String()),
});
export const OrderStatus = Type.Union([
  Type.Literal('unpriced'),
  Type.Literal('unpaid'),
  Type.Literal('paid'),
  Type.Literal('shipped'),
  Type.Literal('refunded'),
]);
export const ShipmentDraft = strictObject({
  carrier: text(MAX_LENGTH.name),
  tracking: text(MAX_LENGTH.name),
  link: Type.Optional(link),
  note: Type.Optional(optionalText(MAX_LENGTH.note)),
  /** Whether to ship although the customer disputes the payment. */
  despiteDispute: Type.Optional(Type.Boolean()),
});
export const ShippingEntry = strictObject({
  at: Type.String(),
  carrier: Type.String(),
  tracking: Type.String(),
  link: Type.Union([Type.String(), Type.Null()]),
  note: Type.Union([Type.String(), Type.Null()]),
});
export const PriceOffer = strictObject({
  price,
  /** The price that the admin saw. If another admin has changed it since, the offer is refused. */
  was: Type.Optional(Type.Union([price, Type.Null()])),
});
export const RefundDraft = strictObject({
  reason: text(MAX_LENGTH.note),
  /** How many of the refunded pieces return to the stock. True means all of them. */
  restock: Type.Union([Type.Boolean(), wholeNumber(0, MAX_QUANTITY)]),
  /** Without it, all that is left is refunded. */
  pieces: Type.Optional(quantity),
});
const time = Type.String();
const timeOrNull = Type.Union([time, Type.Null()]);
/** The card with which an order was paid. `brand` is Stripe's name, such as `visa`. */
export const PaidCard = strictObject({ brand: Type.String(), last4: Type.String() });
/** `pieces` is null if the refund is not about pieces: one of part of the payment that was made at the provider. */
export const Refund = strictObject({
  at: time,
  pieces: Type.Union([Type.Integer(), Type.Null()]),
  cents: Type.Integer(),
  /** The number of the credit note, if there is one. */
  number: Type.Union([Type.String(), Type.Null()]),
  /** Only admins get it. */
  reason: Type.Optional(Type.String()),
});
export const Order = strictObject({
  _id: Id,
  client: Type.String(),
  email: Type.String(),
  price: Type.Union([Type.Integer(), Type.Null()]),
  productName: Type.String(),
  address: Type.String(),
  phone: Type.String(),
  /** The customer's own number of the order, or an empty text. Missing in answers that an earlier version stored. */
  reference: Type.Optional(Type.String()),
  totalQuantity: Type.Integer(),
  paid: Type.Boolean(),
  toolId: Id,
  /** The tool's picture now. Only in the list of a customer's orders. */
  img: Type.Optional(Type.String()),
  transactionId: Type.Optional(Type.String()),
  /** Missing in lists, and in orders that were paid before cards were recorded. */
  card: Type.Optional(PaidCard),
  status: OrderStatus,
  /** An admin offered the price. */
  offered: Type.Optional(Type.Literal(true)),
  placedAt: time,
  paidAt: timeOrNull,
  /** The number of the invoice. Missing in answers that an earlier version stored. */
  invoice: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  /** The seller's lines on the invoice. Missing in `GET /order` without `limit`, and in the CSV. */
  seller: Type.Optional(Type.String()),
  /** The time until which the unpaid order holds its stock. */
  heldUntil: timeOrNull,
  dispute: Type.Union([Type.Literal('open'), Type.Literal('won'), Type.Literal('lost'), Type.Null()]),
  /** A refund was requested, but the payment provider has not confirmed it yet. */
  refundRequested: Type.Optional(Type.Literal(true)),
  /** The amount of that refund. */
  refundingCents: Type.Optional(Type.Integer()),
  refundFailed: Type.Optional(Type.Literal(true)),
  /** When all of the money was returned. Missing in `GET /order` without `limit`. */
  refundedAt: Type.Optional(time),
  /** What the customer has got back, oldest first. Missing in the list of all orders, as the next two. */
  refunds: Type.Optional(Type.Array(Refund)),
  refundedCents: Type.Optional(Type.Integer()),
  refundedPieces: Type.Optional(Type.Integer()),
  /** The reason of the last refund that an admin requested. Only admins get it. */
  refundReason: Type.Optional(Type.String()),
  /** The newest entry is the last. Missing in `GET /order` without `limit`. */
  shippingLog: Type.Optional(Type.Array(ShippingEntry)),
});
/** The number of orders with each status. No number is higher than `MAX_COUNTED_ORDERS`. */
export const OrderCounts = strictObject({
  unpriced: Type.Integer(),
  unpaid: Type.Integer(),
  paid: Type.Integer(),
  shipped: Type.Integer(),
  refunded: Type.Integer(),
});
/**
 * Why the order has no price. At that moment, the customer could order from `min` to `max` pieces instead, or none if
 * `max` is below `min`.
 */
export const UnpricedReason = strictObject({
  reason: Type.Union([Type.Literal('range'), Type.Literal('total')]),
  min: Type.Integer(),
  max: Type.Integer(),
});
/** The response of POST /order. */
export const PlacedOrder = strictObject({ ...Order.properties, unpriced: Type.Optional(UnpricedReason) });

export const PaymentDraft = strictObject({ order: Id, transactionId: text(255) });
export const StartPaymentBody = strictObject({ totalPrice: wholeNumber(1, Number.MAX_SAFE_INTEGER) });
export const Intent = strictObject({
  clientSecret: Type.String(),
  order: Id,
  amount: Type.Integer(),
  currency: Type.String(),
});

export const UserDraft = strictObject({ email: Email });
export const Role = Type.Union([Type.Literal('admin'), Type.Literal('member')]);
export const User = strictObject({ _id: Id, email: Type.String(), role: Role });
/** A user in the list for admins. `verified` means that the identity provider has verified the email. */
export const ListedUser = strictObject({ ...User.properties, verified: Type.Boolean() });
export const UserWithToken = strictObject({ ...User.properties, token: Type.String() });
export const AdminStatus = strictObject({ admin: Type.Boolean() });

const profileFields = {
  address: text(MAX_LENGTH.address),
  phone,
  linkedIn: link,
  education: Type.Optional(optionalText(MAX_LENGTH.education)),
};
export const ProfileDraft = strictObject({ email: Type.Optional(Email), ...profileFields });
export const Profile = strictObject({
  email: Type.String(),
  address: Type.String(),
  education: Type.String(),
  phone: Type.String(),
  linkedIn: Type.String(),
});

export const Problem = Type.Object({
  type: Type.String(),
  title: Type.String(),
  status: Type.Integer(),
  code: Type.Union(Object.keys(ERROR_TITLES).map((code) => Type.Literal(code as keyof typeof ERROR_TITLES))),
  detail: Type.String(),
  instance: Type.String(),
  errors: Type.Optional(Type.Array(Type.Object({ field: Type.String(), message: Type.String() }))),
  meta: Type.Optional(Type.Record(Type.String(), Type.Union([Type.Number(), Type.String(), Type.Null()]))),
});

export type Tool = Static<typeof Tool>;
export type ToolDraft = Static<typeof ToolDraft>;
export type Review = Static<typeof Review>;
export type PictureDraft = Static<typeof PictureDraft>;
export type StoredPicture = Static<typeof StoredPicture>;
export type ReviewDraft = Static<typeof ReviewDraft>;
export type ToolChange = Static<typeof ToolChange>;
export type ToolImport = Static<typeof ToolImport>;
export type PaidCard = Static<typeof PaidCard>;
export type Order = Static<typeof Order>;
export type OrderStatus = Static<typeof OrderStatus>;
export type OrderCounts = Static<typeof OrderCounts>;
export type ShipmentDraft = Static<typeof ShipmentDraft>;
export type ShippingEntry = Static<typeof ShippingEntry>;
export type PriceOffer = Static<typeof PriceOffer>;
export type Refund = Static<typeof Refund>;
export type RefundDraft = Static<typeof RefundDraft>;
export type UnpricedReason = Static<typeof UnpricedReason>;
export type PlacedOrder = Static<typeof PlacedOrder>;
export type OrderDraft = Static<typeof OrderDraft>;
export type PaymentDraft = Static<typeof PaymentDraft>;
export type StartPaymentBody = Static<typeof StartPaymentBody>;
export type Intent = Static<typeof Intent>;
export type User = Static<typeof User>;
export type ListedUser = Static<typeof ListedUser>;
export type UserDraft = Static<typeof UserDraft>;
export type UserWithToken = Static<typeof UserWithToken>;
export type Role = Static<typeof Role>;
export type AdminStatus = Static<typeof AdminStatus>;
export type Profile = Static<typeof Profile>;
export type ProfileDraft = Static<typeof ProfileDraft>;
export type Problem = Static<typeof Problem>;
