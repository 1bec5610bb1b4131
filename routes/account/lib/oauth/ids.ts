/** How the library names a person and a consent: with the workspace, in which both are looked up. */
export interface Located { workspaceId: string, id: string }

export const located = ({ workspaceId, id }: Located): string => `${workspaceId}.${id}`

const form = /^([0-9a-f-]{36})\.([0-9a-f-]{36})$/

/** @returns undefined for what we did not write */
export const locate = (text: string | undefined): Located | undefined => {
  const [, workspaceId, id] = form.exec(text ?? '') ?? []
  return workspaceId !== undefined && id !== undefined ? { workspaceId, id } : undefined
}
