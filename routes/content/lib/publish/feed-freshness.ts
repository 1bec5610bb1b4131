interface Conditions { 'if-none-match'?: string | undefined, 'if-modified-since'?: string | undefined }

/** @returns whether the reader has this already; times are to the second, as they cross the wire */
export const isFresh = ({ 'if-none-match': tags, 'if-modified-since': since }: Conditions, etag: string,
  updated: Date): boolean => {
  if (tags !== undefined) return tags.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()))
  return since !== undefined && Math.floor(updated.getTime() / 1000) * 1000 <= Date.parse(since)
}
