import bench from './blurs/bench.json';
import crate from './blurs/crate.json';
import edge from './blurs/edge.json';
import wall from './blurs/wall.json';

export type Slide = {
  id: string;
  headline: string;
  text: string;
  picture: string;
  blur: string;
  alt: string;
  to: string;
  link: string;
};

export const slides: Slide[] = [
  {
    id: 'bench',
    headline: 'Made in one factory, sold by the crate.',
    text: 'Forged, ground and tested under one roof, at factory prices.',
    picture: '/images/slides/bench.webp',
    blur: bench,
    alt: 'A workbench by lamplight: a jack plane among its shavings, a chisel, a drill and a vise',
    to: '/#tools',
    link: 'See the tools',
  },
  {
    id: 'edge',
    headline: 'Hard at the edge, tough in the body.',
    text: 'Every edge is tested for hardness before it leaves the factory.',
    picture: '/images/slides/edge.webp',
    blur: edge,
    alt: "A chisel on a dark bench, beside a micrometer and an engineer's square",
    to: '/about',
    link: 'How we make them',
  },
  {
    id: 'wall',
    headline: 'Equip a workshop, crate by crate.',
    text: 'Price, stock and minimum on every card. No waiting for a quote.',
    picture: '/images/slides/wall.webp',
    blur: wall,
    alt: 'Six wrenches hung on a wall of boards, in order of size',
    to: '/about#projects',
    link: "Workshops we've equipped",
  },
  {
    id: 'crate',
    headline: 'Set aside for you the moment you order.',
    text: 'We hold your tools while you pay, usually for two hours.',
    picture: '/images/slides/crate.webp',
    blur: crate,
    alt: 'An open crate marked Forgeline: hammers, a wrench, pliers and a plane bedded in wood wool',
    to: '/about#faq',
    link: 'How ordering works',
  },
];
