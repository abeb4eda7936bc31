import bench from './blurs/bench.json';
import crate from './blurs/crate.json';
import edge from './blurs/edge.json';
import wall from './blurs/wall.json';

export type Slide = {
  id: string;
  sentence: string;
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
    sentence: 'Tools from one works, sold by the crate.',
    text: 'Forged, ground and tested under one roof, at the maker’s own price.',
    picture: '/images/slides/bench.webp',
    blur: bench,
    alt: 'A workbench by lamplight: a jack plane among its shavings, a chisel, a drill and a vise',
    to: '/#tools',
    link: 'See the tools',
  },
  {
    id: 'edge',
    sentence: 'Hardened where it works, tough where it must.',
    text: 'Every edge is tested for hardness before it leaves the grinding shop.',
    picture: '/images/slides/edge.webp',
    blur: edge,
    alt: 'A chisel on a dark bench, beside a micrometer and an engineer’s square',
    to: '/about',
    link: 'How we make them',
  },
  {
    id: 'wall',
    sentence: 'Fit out a whole shop, crate by crate.',
    text: 'Price, stock and minimum order stand on every card. No quotes to wait for.',
    picture: '/images/slides/wall.webp',
    blur: wall,
    alt: 'Six wrenches hung on a wall of boards, in order of size',
    to: '/about#projects',
    link: 'Shops we fitted out',
  },
  {
    id: 'crate',
    sentence: 'Set aside for you the moment you order.',
    text: 'Stock is counted once and held while you pay. What the card says is there, is there.',
    picture: '/images/slides/crate.webp',
    blur: crate,
    alt: 'An open crate marked Forgeline: hammers, a wrench, pliers and a plane bedded in wood wool',
    to: '/#contact',
    link: 'Talk to us',
  },
];
