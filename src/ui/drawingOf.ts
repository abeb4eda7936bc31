/** The first word that a name contains chooses the drawing. */
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

/** The drawing that stands in for a tool's missing picture, or undefined where no family fits. */
export function drawingOf(name: string) {
  const family = FAMILIES.find(([words]) => words.test(name));
  return family && `/images/tools/${family[1]}.svg`;
}
