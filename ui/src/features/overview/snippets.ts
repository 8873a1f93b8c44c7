interface Snippet {
  id: string;
  label: string;
  text: string;
  /** Where one types it in. */
  about: string;
}

/** The first fact, in the three ways to emit one. Facts of the tenant `default` need not say so. */
export function snippets(origin: string, tenant: string, email: string | null): readonly Snippet[] {
  const named = tenant === "default" ? null : tenant;
  return [
    { id: "python", label: "Python", text: python(named), about: "Run it with the Python of this project." },
    { id: "sql", label: "SQL", text: sql(named), about: "`tidings psql` opens the database of the stack." },
    {
      id: "curl",
      label: "curl",
      text: curl(origin, named, email),
      about: "The first line makes an API key.",
    },
  ];
}

const python = (tenant: string | null) => `import asyncio, asyncpg, tidings

async def main():
    connection = await asyncpg.connect(tidings.database_url())
    async with connection.transaction():  # yours, with your own rows in it
        await tidings.aemit(connection, "order.paid", {"order": 7, "total": "12.50"}${tenant === null ? "" : `, tenant="${tenant}"`})

asyncio.run(main())`;

const sql = (tenant: string | null) => `BEGIN;
-- your own changes, and with them:
SELECT tidings.emit('order.paid', '{"order": 7, "total": "12.50"}'${tenant === null ? "" : `, tenant => '${tenant}'`});
COMMIT;`;

function curl(origin: string, tenant: string | null, email: string | null): string {
  const whose = email === null || email === "operator@localhost" ? "" : ` --email ${email}`;
  return `key=$(tidings key create --name first${whose}${tenant === null ? "" : ` --tenant ${tenant}`})
curl ${origin}/v1/facts -H "Authorization: Bearer $key" -H "Content-Type: application/json" \\
  -d '{"type": "order.paid", "data": {"order": 7, "total": "12.50"}}'`;
}
