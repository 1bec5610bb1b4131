import { locale } from '../texts/language'

interface Amount { amount: string, currency: string }

/** @returns a formatted amount; small amounts get more digits */
export const formatMoney = (money: Amount | null | undefined): string => {
  if (!money) return '–'
  const amount = Number(money.amount)
  const digits = amount !== 0 && Math.abs(amount) < 0.1 ? 4 : 2
  return new Intl.NumberFormat(locale(), {
    style: 'currency', currency: money.currency, minimumFractionDigits: 2, maximumFractionDigits: digits
  }).format(amount)
}

export const formatCount = (value: number | null | undefined): string =>
  value == null ? '–' : new Intl.NumberFormat(locale()).format(value)

const units = ['B', 'KB', 'MB', 'GB', 'TB']

export const formatSize = (bytes: number | null | undefined): string => {
  if (bytes == null) return '–'
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  return `${formatCount(Number((bytes / 1024 ** power).toFixed(1)))} ${units[power]}`
}
