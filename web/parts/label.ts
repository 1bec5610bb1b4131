const short: Record<string, string> = {
  id: 'ID', arn: 'ARN', url: 'URL', cpu: 'CPU', ecs: 'ECS', aws: 'AWS', sha: 'SHA', api: 'API', ip: 'IP'
}

/** @returns a field's or an operation's name as a label: desired_count → Desired count, scaleService → Scale service */
export const formatLabel = (name: string): string => {
  const words = name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase().split('_').map((word) => short[word] ?? word)
  const text = words.join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** @returns an id without the account of <account>~<region>~<name> */
export const formatName = (id: string): string =>
  id.replace(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}~/, '').replaceAll('~', ' / ')
