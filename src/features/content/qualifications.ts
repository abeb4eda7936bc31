export const qualifications = [
  {
    title: 'We make what we sell',
    text: 'Every tool in the shop comes from our own forge and machines. Nothing is bought in and stamped.',
  },
  {
    title: 'Made to the standard',
    text: 'Wrenches to ISO 7738, pliers to ISO 5746, hammers to DIN 1041. The standard of a tool stands in its description.',
  },
  {
    title: 'Tested before it is packed',
    text: 'Hardness is tested on every lot, measuring tools are checked one by one and leave with their certificate.',
  },
  {
    title: 'Trained on the tools',
    text: 'Our toolmakers serve their apprenticeship at the bench, with the same hammers and files that you buy.',
  },
];
