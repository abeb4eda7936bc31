import { Type, type Static, type TProperties } from 'typebox';
import { CODES } from './errorCodes';
import { MAX_PRICE, MAX_QUANTITY, MAX_RATING, MIN_RATING, TEXT } from './limits';

/** No control characters but line breaks and tabs: NUL is what PostgreSQL cannot hold. */
const CLEAN = '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f]*$';
const strict = <P extends TProperties>(properties: P, $id?: string) =>
  Type.Object(properties, { additionalProperties: false, ...($id ? { $id } : {}) });
const SAYS_SOMETHING = CLEAN.replace('^', '^(?=[\\s\\S]*\\S)');
const text = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: SAYS_SOMETHING });
const optionalText = (maxLength: number) => Type.String({ maxLength, pattern: CLEAN });
/** Checked by `safeHref`, which also says what is kept of it. */
const link = Type.String({ minLength: 1, maxLength: TEXT.link, format: 'link' });
const whole = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum });

export const Id = Type.String({ minLength: 1, maxLength: 64 });
export const Email = Type.String({ minLength: 3, maxLength: TEXT.email, pattern: CLEAN });
const price = whole(1, MAX_PRICE);
const quantity = whole(1, MAX_QUANTITY);

const toolFields = {
  name: text(TEXT.name),
  price,
  minimumOrderQuantity: quantity,
  availableQuantity: whole(0, MAX_QUANTITY),
  description: text(TEXT.description),
  img: link,
};
export const ToolDraft = strict(toolFields);
export const Tool = strict({ _id: Id, ...toolFields });

const reviewFields = {
  description: text(TEXT.description),
  ratings: whole(MIN_RATING, MAX_RATING),
  img: link,
};
export const ReviewDraft = strict({ name: Type.Optional(optionalText(TEXT.name)), ...reviewFields });
export const Review = strict({ _id: Id, name: Type.String(), ...reviewFields });

export const OrderDraft = strict({
  client: Type.Optional(optionalText(TEXT.name)),
  email: Type.Optional(Email),
  price: Type.Optional(Type.Union([price, Type.Null()])),
  productName: text(TEXT.name),
  address: text(TEXT.address),
  phone: text(TEXT.phone),
  totalQuantity: quantity,
  toolId: Type.Optional(Type.String()),
});
export const Order = strict({
  _id: Id,
  client: Type.String(),
  email: Type.String(),
  price: Type.Union([Type.Integer(), Type.Null()]),
  productName: Type.String(),
  address: Type.String(),
  phone: Type.String(),
  totalQuantity: Type.Integer(),
  paid: Type.Boolean(),
  toolId: Id,
  transactionId: Type.Optional(Type.String()),
});
/** Why an order has no price, and what this customer could order at that moment; `max` below `min`: nothing. */
export const Unpriced = strict({
  reason: Type.Union([Type.Literal('range'), Type.Literal('share'), Type.Literal('limit'), Type.Literal('total')]),
  min: Type.Integer(),
  max: Type.Integer(),
});
/** What POST /order answers. */
export const PlacedOrder = strict({ ...Order.properties, unpriced: Type.Optional(Unpriced) });

export const PaymentDraft = strict({ order: Id, transactionId: text(255) });
export const IntentDraft = strict({ totalPrice: whole(1, Number.MAX_SAFE_INTEGER) });
export const Intent = strict({
  clientSecret: Type.String(),
  order: Id,
  amount: Type.Integer(),
  currency: Type.String(),
});

export const UserDraft = strict({ email: Email });
export const Role = Type.Union([Type.Literal('admin'), Type.Literal('member')]);
export const User = strict({ _id: Id, email: Type.String(), role: Role });
/** In the list for admins: whether the identity provider says that the address is theirs. */
export const ListedUser = strict({ ...User.properties, verified: Type.Boolean() });
export const SignedUser = strict({ ...User.properties, token: Type.String() });
export const AdminAnswer = strict({ admin: Type.Boolean() });

const profileFields = {
  address: text(TEXT.address),
  phone: text(TEXT.phone),
  linkedIn: link,
  education: Type.Optional(optionalText(TEXT.education)),
};
export const ProfileDraft = strict({ email: Type.Optional(Email), ...profileFields });
export const Profile = strict({
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
  code: Type.Union(Object.keys(CODES).map((code) => Type.Literal(code as keyof typeof CODES))),
  detail: Type.String(),
  instance: Type.String(),
  errors: Type.Optional(Type.Array(Type.Object({ field: Type.String(), message: Type.String() }))),
  meta: Type.Optional(Type.Record(Type.String(), Type.Union([Type.Number(), Type.String(), Type.Null()]))),
});

export type Tool = Static<typeof Tool>;
export type ToolDraft = Static<typeof ToolDraft>;
export type Review = Static<typeof Review>;
export type ReviewDraft = Static<typeof ReviewDraft>;
export type Order = Static<typeof Order>;
export type Unpriced = Static<typeof Unpriced>;
export type PlacedOrder = Static<typeof PlacedOrder>;
export type OrderDraft = Static<typeof OrderDraft>;
export type PaymentDraft = Static<typeof PaymentDraft>;
export type IntentDraft = Static<typeof IntentDraft>;
export type Intent = Static<typeof Intent>;
export type User = Static<typeof User>;
export type ListedUser = Static<typeof ListedUser>;
export type UserDraft = Static<typeof UserDraft>;
export type SignedUser = Static<typeof SignedUser>;
export type Role = Static<typeof Role>;
export type AdminAnswer = Static<typeof AdminAnswer>;
export type Profile = Static<typeof Profile>;
export type ProfileDraft = Static<typeof ProfileDraft>;
export type Problem = Static<typeof Problem>;
