/** The drawings for tools without a picture. The first pattern that matches the tool's name wins. */
const FAMILIES: [RegExp, string][] = [
  [/hammer|mallet|sledge/i, 'claw-hammer'],
  [/pump/i, 'water-pump-pliers'],
  [/pliers|nippers|cutter/i, 'combination-pliers'],
  [/torque/i, 'torque-wrench'],
  [/ratchet|socket/i, 'ratchet'],
  [/hex key|allen/i, 'hex-key-set'],
  [/wrench|spanner/i, 'combination-wrench'],
  [/screwdriver|bit set/i, 'screwdriver'],
  [/hacksaw/i, 'hacksaw'],
  [/circular saw|mitre saw|jigsaw/i, 'circular-saw'],
  [/saw/i, 'panel-saw'],
  [/chisel|gouge/i, 'bench-chisel'],
  [/\bfile|rasp/i, 'half-round-file'],
  [/plane/i, 'jack-plane'],
  [/square/i, 'engineers-square'],
  [/calip/i, 'vernier-caliper'],
  [/micrometer|gauge/i, 'micrometer'],
  [/level/i, 'spirit-level'],
  [/tape|measure|rule/i, 'tape-measure'],
  [/vice|vise/i, 'bench-vice'],
  [/clamp/i, 'g-clamp'],
  [/bench grinder/i, 'bench-grinder'],
  [/grinder|sander/i, 'angle-grinder'],
  [/drill|driver/i, 'cordless-drill'],
];

/** @returns the path of a drawing for a tool of this name, or undefined if no pattern matches */
export function toolDrawingPath(name: string) {
  const family = FAMILIES.find(([pattern]) => pattern.test(name));
  return family && `/images/tools/${family[1]}.svg`;
}
