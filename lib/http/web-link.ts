/** @returns a link from another party, if a browser may be sent there; null for `javascript:` and the like */
export const toWebLink = (text: string | null | undefined): string | null =>
  text && /^https?:\/\//i.test(text) && URL.canParse(text) ? text : null
