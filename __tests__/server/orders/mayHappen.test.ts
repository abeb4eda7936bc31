import {
  mayHappen,
  type Answers,
  type OrderFacts,
  type Question,
  type Refusal,
} from '../../../server/orders/mayHappen';
import {
  orderDisputed,
  orderNotPaid,
  orderPaid,
  orderPriced,
  orderRefunded,
  orderShipped,
  orderUnpriced,
  paymentInProgress,
  paymentOfOriginal,
  refundInProgress,
  refundOpen,
  shippingDisputed,
  shippingRefunded,
} from '../../../server/orders/orderProblems';
import { orderNotFound } from '../../../server/http/problems';

type Status = Exclude<OrderFacts['state'], 'paid'> | 'paid' | 'shipped';
const yes = undefined;

/** What may happen to an order about which nothing else is known. */
const TABLE: Record<Status, Answers> = {
  unpriced: { pay: orderUnpriced, ship: orderNotPaid, refund: orderNotPaid, delete: yes, price: yes },
  unpaid: { pay: yes, ship: orderNotPaid, refund: orderNotPaid, delete: yes, price: orderPriced },
  paid: { pay: orderPaid, ship: yes, refund: yes, delete: orderPaid, price: orderPaid },
  shipped: { pay: orderPaid, ship: orderShipped, refund: yes, delete: orderPaid, price: orderPaid },
  refunded: {
    pay: orderRefunded,
    ship: shippingRefunded,
    refund: orderRefunded,
    delete: orderRefunded,
    price: orderRefunded,
  },
  deleted: {
    pay: orderNotFound,
    ship: orderNotFound,
    refund: orderNotFound,
    delete: orderNotFound,
    price: orderNotFound,
  },
};

interface Case {
  status: Status;
  facts: OrderFacts;
  despiteDispute: boolean;
}

const REFUNDS = [
  ['none', 1000],
  ['open', 1000],
  ['open', 300],
  ['succeeded', 300],
  ['succeeded', 0],
  ['failed', 1000],
  ['failed', 300],
] as const;
const BOOLEAN_PAIRS = [
  [false, false],
  [true, false],
  [false, true],
  [true, true],
] as const;

function* generateCases(): Generator<Case> {
  for (const status of Object.keys(TABLE) as Status[])
    for (const [isOffered, isPaymentBeingCanceled] of BOOLEAN_PAIRS)
      for (const [refund, leftCents] of REFUNDS)
        for (const [isReturned, isOfOriginal] of BOOLEAN_PAIRS)
          for (const dispute of [null, 'open', 'won', 'lost'] as const)
            for (const despiteDispute of [false, true]) {
              const isShipped = status === 'shipped';
              const refundFacts = { leftCents, isRefundOpen: refund === 'open', isRefundFailed: refund === 'failed' };
              const flags = { isShipped, isOffered, isPaymentBeingCanceled, isReturned, isOfOriginal };
              const facts = { ...flags, ...refundFacts, dispute };
              yield { status, facts: { state: isShipped ? 'paid' : status, ...facts }, despiteDispute };
            }
}
const CASES = [...generateCases()];

const isPaid = ({ facts }: Case) => facts.state === 'paid';
const isDisputed = ({ facts }: Case) => facts.dispute === 'open' || facts.dispute === 'lost';
const isAllRefunded = ({ facts }: Case) => facts.leftCents === 0;

interface Rule {
  title: string;
  question: Question;
  applies: (order: Case) => boolean;
  answer: Refusal | undefined;
}

/** The exceptions from the table. Of several that apply to a question, the first decides. */
const RULES: Rule[] = [
  {
    title: 'an order in whose payment something is in progress is not paid a second time',
    question: 'pay',
    applies: ({ status, facts }) => status === 'unpaid' && facts.isPaymentBeingCanceled,
    answer: paymentInProgress,
  },
  {
    title: 'an order in whose payment something is in progress is not deleted',
    question: 'delete',
    applies: ({ status, facts }) => ['unpaid', 'unpriced'].includes(status) && facts.isPaymentBeingCanceled,
    answer: paymentInProgress,
  },
  {
    title: 'an order in whose payment something is in progress is not priced',
    question: 'price',
    applies: ({ status, facts }) =>
      (status === 'unpriced' || (status === 'unpaid' && facts.isOffered)) && facts.isPaymentBeingCanceled,
    answer: paymentInProgress,
  },
  {
    title: 'an offered price that is not paid is corrected',
    question: 'price',
    applies: ({ status, facts }) => status === 'unpaid' && facts.isOffered,
    answer: yes,
  },
  {
    title: 'a payment that the original of a restored copy took is not refunded by the copy',
    question: 'refund',
    applies: (order) => (isPaid(order) || order.status === 'refunded') && order.facts.isOfOriginal,
    answer: paymentOfOriginal,
  },
  {
    title: 'money that was paid back in another way is not refunded',
    question: 'refund',
    applies: (order) => (isPaid(order) || order.status === 'refunded') && order.facts.isReturned,
    answer: orderRefunded,
  },
  {
    title: 'money that was refunded is not refunded again',
    question: 'refund',
    applies: (order) => (isPaid(order) || order.status === 'refunded') && isAllRefunded(order),
    answer: orderRefunded,
  },
  {
    title: 'a refund waits for the one before it',
    question: 'refund',
    applies: (order) => (isPaid(order) || order.status === 'refunded') && order.facts.isRefundOpen,
    answer: refundOpen,
  },
  {
    title: 'a disputed payment is not refunded',
    question: 'refund',
    applies: (order) => isDisputed(order) && (isPaid(order) || order.facts.isRefundFailed) && !isNeverPaid(order),
    answer: orderDisputed,
  },
  {
    title: 'a refund that failed after the order was refunded can be tried again',
    question: 'refund',
    applies: ({ status, facts }) => status === 'refunded' && facts.isRefundFailed,
    answer: yes,
  },
  {
    title: 'an order whose money was paid back in another way does not ship',
    question: 'ship',
    applies: ({ status, facts }) => status !== 'deleted' && facts.isReturned,
    answer: shippingRefunded,
  },
  {
    title: 'an order that is being refunded does not ship',
    question: 'ship',
    applies: (order) => order.status === 'paid' && order.facts.isRefundOpen,
    answer: refundInProgress,
  },
  {
    title: 'a disputed order ships only if the admin decides so',
    question: 'ship',
    applies: (order) => order.status === 'paid' && isDisputed(order) && !order.despiteDispute,
    answer: shippingDisputed,
  },
];

function isNeverPaid({ status }: Case): boolean {
  return status === 'unpriced' || status === 'unpaid' || status === 'deleted';
}

const answerOf = ({ facts, despiteDispute }: Case, question: Question) =>
  mayHappen(facts, { despiteDispute })[question];
const decidingRule = (order: Case, question: Question) =>
  RULES.find((rule) => rule.question === question && rule.applies(order));
const QUESTIONS = Object.keys(TABLE.paid) as Question[];

describe('What may happen to an order', () => {
  it.each(RULES)('obeys the rule: $title', ({ title, question, answer }) => {
    const decided = CASES.filter((order) => decidingRule(order, question)?.title === title);
    expect(decided.length).toBeGreaterThan(0);
    for (const order of decided) expect([order, answerOf(order, question)]).toEqual([order, answer]);
  });

  it.each(Object.keys(TABLE) as Status[])('is decided by the status %s where no rule applies', (status) => {
    for (const question of QUESTIONS) {
      const others = CASES.filter((order) => order.status === status && !decidingRule(order, question));
      expect([question, others.length > 0]).toEqual([question, true]);
      for (const order of others) expect([order, answerOf(order, question)]).toEqual([order, TABLE[status][question]]);
    }
  });

  it('never sends money back twice: a refund is refused after another refund, a return or a lost dispute', () => {
    for (const order of CASES)
      if (isAllRefunded(order) || order.facts.isRefundOpen || order.facts.isReturned || order.facts.dispute === 'lost')
        expect([order, answerOf(order, 'refund')]).not.toEqual([order, undefined]);
  });
});
