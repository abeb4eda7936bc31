import type { CDPSession, Page } from 'playwright-core';

interface TreeNode {
  nodeId: string;
  ignored: boolean;
  role?: { value: string };
  name?: { value: string };
  value?: { value: string | number };
  description?: { value: string };
  properties?: { name: string; value: { value?: unknown } }[];
  childIds?: string[];
}

/** Roles that a screen reader does not announce. It reads their children instead. */
const SILENT_ROLES = ['none', 'generic', 'InlineTextBox', 'LineBreak', 'LabelText', 'MenuListPopup'];
/** States that a screen reader announces. */
const STATES = ['disabled', 'required', 'invalid', 'expanded', 'checked', 'selected', 'readonly'];

const isAnnounced = ({ value }: { value: unknown }) => value !== false && value !== 'false' && value !== undefined;
/** Toasts are skipped, because a toast closes by itself and may already be gone when the page is read. */
const isToast = (node: TreeNode) => node.role?.value === 'region' && node.name?.value.startsWith('Notifications');
const propertyOf = (node: TreeNode, name: string) => node.properties?.find((property) => property.name === name)?.value;

/** @returns a line such as `textbox "Quantity" = 20 [required] (Order 20 to 640 pieces.)` */
function readNode(node: TreeNode): string {
  const name = node.name?.value.trim();
  if (node.role?.value === 'StaticText') return name ?? '';
  const level = node.role?.value === 'heading' && `level ${String(propertyOf(node, 'level')?.value)}`;
  const states = STATES.map((state) => [state, propertyOf(node, state)?.value] as const)
    .filter(([, value]) => isAnnounced({ value }))
    .map(([state, value]) => (value === true || value === 'true' ? state : `${state} ${String(value)}`));
  return [
    node.role?.value,
    name && `"${name}"`,
    node.value?.value !== undefined && `= ${node.value.value}`,
    [level, ...states].some(Boolean) && `[${[level, ...states].filter(Boolean).join(', ')}]`,
    node.description?.value && `(${node.description.value})`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** @returns the lines of a node and its children, without text that only repeats the name or value of its parent */
function readBranch(node: TreeNode, byId: Map<string, TreeNode>, depth: number, parentName = ''): string[] {
  if (isToast(node)) return [];
  const isSilent = node.ignored || SILENT_ROLES.includes(node.role?.value ?? '');
  const text = isSilent ? '' : readNode(node);
  const isRepeated = node.role?.value === 'StaticText' && parentName.includes(text);
  const isShown = text !== '' && !isRepeated;
  const name = isSilent ? parentName : `${node.name?.value ?? ''} ${node.value?.value ?? ''}`;
  const children = (node.childIds ?? []).flatMap((id) => byId.get(id) ?? []);
  const inner = children.flatMap((child) => readBranch(child, byId, isShown ? depth + 1 : depth, name));
  return [...(isShown ? ['  '.repeat(depth) + text] : []), ...inner];
}

/** Reads Chromium's own accessibility tree, the source of everything that a screen reader announces. */
export async function openAccessibilityTree(page: Page) {
  const session: CDPSession = await page.context().newCDPSession(page);
  const readNodes = async () => (await session.send('Accessibility.getFullAXTree')).nodes as TreeNode[];
  return {
    /** @returns the lines of the first element with this role and, if given, this name */
    async read(role: string, name?: string): Promise<string> {
      const nodes = await readNodes();
      const isWanted = (node: TreeNode) => node.role?.value === role && (!name || node.name?.value === name);
      const root = nodes.find((node) => !node.ignored && isWanted(node));
      if (!root) throw new Error(`The accessibility tree has no ${role} ${name ?? ''}.`);
      return readBranch(root, new Map(nodes.map((node) => [node.nodeId, node])), 0).join('\n');
    },
    async readFocus(): Promise<string> {
      const nodes = await readNodes();
      const focused = nodes.filter((node) => propertyOf(node, 'focused')?.value === true);
      return readNode(focused.at(-1)!);
    },
  };
}
