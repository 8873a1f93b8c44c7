export const forecastKeys = {
  all: ["forecast"] as const,
  calendar: (days: number) => [...forecastKeys.all, "calendar", days] as const,
  day: (day: string) => [...forecastKeys.all, "day", day] as const,
};
