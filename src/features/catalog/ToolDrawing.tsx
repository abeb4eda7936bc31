import styled from 'styled-components';
import { DIMENSIONS, splitDescription } from '../../contract/toolDescription';
import { parseShopPhoto } from '../../ui/Picture';
import { PictureFrame } from '../../ui/PictureFrame';
import { color, font, media, size, space } from '../../ui/theme';

const LENGTH_AND_HEIGHT = /^([\d,]+) × ([\d,]+) mm$/;

/** @returns the drawing that belongs to the shop's photo, with the length and the height in the tool's specifications */
function drawingOf({ img, description }: Props) {
  const photo = parseShopPhoto(img);
  const [, dimensions = ''] = splitDescription(description).facts.find(([label]) => label === DIMENSIONS) ?? [];
  const [, length, height] = LENGTH_AND_HEIGHT.exec(dimensions) ?? [];
  return photo?.folder === 'tools' && length && height ? { path: `${photo.path}-lines.webp`, length, height } : null;
}

const toNumber = (millimeters: string) => Number(millimeters.replaceAll(',', ''));

const Sheet = styled(PictureFrame)`
  margin-top: ${space(6)};
  padding: ${space(4)} ${space(2)} ${space(2)} ${space(4)};
`;

const Measured = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr) auto;
  gap: ${space(2)};
`;

/** The file has only an alpha channel, so that the lines have the color of the theme's text. */
const Lines = styled.div<{ $file: string; $ratio: number }>`
  aspect-ratio: ${({ $ratio }) => $ratio};
  background: ${color.ink};
  mask: url(${({ $file }) => $file}) center / 100% 100% no-repeat;
  print-color-adjust: exact;
  ${media.forcedColors} {
    forced-color-adjust: none;
    background: CanvasText;
  }
`;

const Dimension = styled.div`
  display: flex;
  align-items: center;
  gap: ${space(2)};
  color: ${color.muted};
  font: 600 ${size.small} / 1 ${font.display};
  &::before,
  &::after {
    content: '';
    flex: 1;
    min-width: 1px;
    background: ${color.edge};
  }
`;

/** A line with the length in its middle and a mark at each end. */
const Length = styled(Dimension)`
  border-inline: 1px solid ${color.edge};
  &::before,
  &::after {
    height: 1px;
  }
`;

const Height = styled(Dimension)`
  flex-direction: column;
  border-block: 1px solid ${color.edge};
  &::before,
  &::after {
    width: 1px;
  }
`;

type Props = { img: string; description: string };

/** The drawing of a tool with its length and height, if the shop has one. */
export function ToolDrawing(tool: Props) {
  const drawing = drawingOf(tool);
  if (!drawing) return null;
  const { path, length, height } = drawing;
  const ratio = toNumber(length) / toNumber(height);
  return (
    <Sheet>
      <Measured>
        <Lines $file={path} $ratio={ratio} role="img" aria-label={`Drawing, ${length} mm long and ${height} mm high`} />
        <Height aria-hidden="true">{height}</Height>
        <Length aria-hidden="true">{length} mm</Length>
      </Measured>
    </Sheet>
  );
}
