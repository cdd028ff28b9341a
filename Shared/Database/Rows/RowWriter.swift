import CSQLite

/// Writes row changes down as bytes, in the order in which they happen.
///
/// The version, then steps. A step is a tag and what belongs to it; numbers are varints of seven bits a byte, with the
/// lowest first.
///
/// | tag | step | what follows |
/// |---|---|---|
/// | 1 | a statement of the schema | its text; from here on no table is defined |
/// | 2 | a table is defined, and the steps that follow are about it | name, number of columns, number of key columns \
/// and their numbers (0: the rowid, and 0 or 1 + the column that is the rowid) |
/// | 3 | the steps that follow are about a table defined before | its number, from 0 |
/// | 4 | a row is inserted | key, then the columns that are not in the key |
/// | 5 | a row is deleted | key |
/// | 6 | a row is updated | key, then 1 + number and value of each changed column, then 0 |
/// | 7 | a row is updated and has another rowid | the same, with the new rowid behind the key |
///
/// A value begins with a varint: 0 NULL, 1 a REAL in eight bytes, 2 an INTEGER in zigzag form, 3 + 2n a TEXT and 4 + 2n
/// a BLOB of n bytes.
struct RowWriter {
    static let version: UInt8 = 1

    enum Tag: UInt8 {
        case statement = 1
        case table, use, insert, delete, update, move
    }

    /// A place to go back to.
    struct Mark {
        fileprivate let bytes: Int
        fileprivate let steps: Int
        fileprivate let defined: [Int]
        fileprivate let current: Int?
        fileprivate let statements: Int

        /// Whether something was written down in between.
        func isBeyond(_ other: Mark) -> Bool { bytes > other.bytes }
    }

    private(set) var bytes = [RowWriter.version]
    /// How many rows and statements; definitions are none.
    private(set) var steps = 0
    private(set) var statements = 0
    /// By their number in the bytes, the tables' number in the schema.
    private var defined: [Int] = []
    private var current: Int?

    var mark: Mark {
        Mark(bytes: bytes.count, steps: steps, defined: defined, current: current, statements: statements)
    }

    mutating func goBack(to mark: Mark) {
        bytes.removeLast(bytes.count - mark.bytes)
        (steps, statements) = (mark.steps, mark.statements)
        (defined, current) = (mark.defined, mark.current)
    }

    /// A statement that changes the schema; tables are numbered anew.
    mutating func addStatement(_ sql: String) {
        bytes.append(Tag.statement.rawValue)
        add(text: sql)
        (defined, current) = ([], nil)
        steps += 1
        statements += 1
    }

    /// Begins a row change of a table, which has this number in the schema.
    mutating func begin(_ tag: Tag, of number: Int, _ table: TableShape) {
        if current != number { name(number, table) }
        bytes.append(tag.rawValue)
        steps += 1
    }

    private mutating func name(_ number: Int, _ table: TableShape) {
        current = number
        if let known = defined.firstIndex(of: number) {
            bytes.append(Tag.use.rawValue)
            return add(number: UInt64(known))
        }
        defined.append(number)
        bytes.append(Tag.table.rawValue)
        add(text: table.name)
        add(number: UInt64(table.columns.count))
        add(number: UInt64(table.key.count))
        if table.key.isEmpty { add(number: UInt64(table.rowidColumn.map { $0 + 1 } ?? 0)) }
        for column in table.key { add(number: UInt64(column)) }
    }

    private mutating func add(text: String) {
        let text = Array(text.utf8)
        add(number: UInt64(text.count))
        bytes += text
    }

    mutating func add(number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func add(integer: Int64) {
        add(number: 2)
        add(number: UInt64(bitPattern: (integer << 1) ^ (integer >> 63)))
    }

    /// A value of SQLite's, whose bytes are read as they lie there: the store's encoding is UTF-8.
    mutating func add(_ value: OpaquePointer) {
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: add(integer: sqlite3_value_int64(value))
        case SQLITE_FLOAT:
            add(number: 1)
            withUnsafeBytes(of: sqlite3_value_double(value).bitPattern.littleEndian) { bytes += $0 }
        case SQLITE_TEXT: add(value, kind: 3)
        case SQLITE_BLOB: add(value, kind: 4)
        default: add(number: 0)
        }
    }

    private mutating func add(_ value: OpaquePointer, kind: UInt64) {
        let start = sqlite3_value_blob(value)
        let count = Int(sqlite3_value_bytes(value))
        add(number: kind + 2 * UInt64(count))
        bytes += UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
    }
}
