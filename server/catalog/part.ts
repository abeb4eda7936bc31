export type Part = 'tools' | 'reviews';
export const PARTS: Part[] = ['tools', 'reviews'];
export const isPart = (name: string | undefined): name is Part => (PARTS as (string | undefined)[]).includes(name);
