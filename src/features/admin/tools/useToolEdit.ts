import { original } from '@reduxjs/toolkit';
import { apiSlice, useEditToolMutation } from '../../../api/apiSlice';
import { useApiDispatch } from '../../../api/useApiDispatch';
import type { Tool, ToolChange } from '../../../contract/entities';
import { randomKey } from '../../../contract/randomKey';

/** Edits tools. The list shows the edited tool at once, before it is loaded again. */
export function useToolEdit() {
  const [editTool, { isLoading }] = useEditToolMutation();
  const dispatch = useApiDispatch();
  /** @param key the idempotency key. Sending a request again with the same key does not change the stock twice. */
  async function edit(id: string, change: ToolChange, key = randomKey()): Promise<Tool> {
    const edited = await editTool({ id, change, key }).unwrap();
    const withEdited = (tools: Tool[]) =>
      Object.freeze(original(tools)!.map((tool) => (tool._id === id ? edited : tool))) as Tool[];
    dispatch(apiSlice.util.updateQueryData('listAllTools', undefined, withEdited));
    return edited;
  }
  return { edit, isEditing: isLoading };
}
