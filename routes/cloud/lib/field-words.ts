/** What the arguments of tools for cloud accounts are, where their schemas leave it to the name. */
export const cloudFields: Readonly<Record<string, string>> = {
  metric: 'How costs are counted: as charged, amortised, net …'
}
