/// A body whose members are all known, so that another one is a slip of the caller's.
protocol ExactBody: NamedBody {}
