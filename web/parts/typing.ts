/** Whether a key press goes into a field, where a letter is a letter. */
export const isTyping = ({ target }: Event): boolean =>
  target instanceof HTMLElement && target.matches('input:not([type="checkbox"]), textarea, select')
