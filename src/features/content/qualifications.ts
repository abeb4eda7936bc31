export const qualifications = [
  {
    title: 'We make what we sell',
    text: "Every tool in the shop comes from our own forge and machines. We don't rebadge tools of other makers.",
  },
  {
    title: 'Made to the standard',
    text: 'Wrenches to ISO 7738, pliers to ISO 5746, hammers to DIN 1041. Where a standard applies, the tool names it.',
  },
  {
    title: 'Tested before it is packed',
    text: 'We test the hardness of every batch, and check every measuring tool individually before it ships.',
  },
  {
    title: 'Trained on the tools',
    text: 'Our toolmakers serve their apprenticeship at the bench, with the same hammers and files that you buy.',
  },
];
