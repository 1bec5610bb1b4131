/** The tool that finds others. */
export const finder = 'findTools'
