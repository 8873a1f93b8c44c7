interface Snippet {
  id: string;
  label: string;
  text: (origin: string) => string;
}

/** The first fact, in the three ways to emit one. */
export const snippets: readonly Snippet[] = [
  {
    id: "python",
    label: "Python",
    text: () => `import asyncio, asyncpg, tidings

async def main():
    connection = await asyncpg.connect()
    async with connection.transaction():  # yours, with your own rows in it
        await tidings.emit(connection, "order.paid", {"order": 7, "total": "12.50"})

asyncio.run(main())`,
  },
  {
    id: "sql",
    label: "SQL",
    text: () => `BEGIN;
-- your own changes, and with them:
SELECT tidings.emit('order.paid', '{"order": 7, "total": "12.50"}');
COMMIT;`,
  },
  {
    id: "curl",
    label: "curl",
    text: (origin) => `curl ${origin}/v1/facts \\
  -H "Authorization: Bearer $TIDINGS_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"type": "order.paid", "data": {"order": 7, "total": "12.50"}}'`,
  },
];
