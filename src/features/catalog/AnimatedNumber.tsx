import CountUp from 'react-countup';

const COUNTING_SECONDS = 1.6;

export default function AnimatedNumber({ end, suffix }: { end: number; suffix: string }) {
  return <CountUp start={0} end={end} suffix={suffix} duration={COUNTING_SECONDS} />;
}
