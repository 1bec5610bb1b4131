/** What a newcomer can ask. */
export const examples = ['Is everything healthy?', 'What did we spend this month, by service?',
  'Show me the last errors of web', 'Why did the last build fail?', 'Scale web to 4',
  'Write release notes from the merged pull requests']
