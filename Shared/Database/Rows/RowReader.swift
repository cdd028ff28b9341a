/// A value in the bytes of row changes; texts and blobs are places in them.
enum RowValue: Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(Range<Int>)
    case blob(Range<Int>)
}

/// One step of row changes.
enum RowStep {
    /// A change of the schema, as text.
    case statement(String)
    /// The key, then the columns that are not in it.
    case insert(table: RowTable, values: [RowValue])
    case delete(table: RowTable, key: [RowValue])
    /// The columns that change, in rising order, with their values.
    case update(table: RowTable, key: [RowValue], rowid: RowValue?, columns: [Int], values: [RowValue])
}

/// A table as row changes define it.
struct RowTable: Hashable {
    let name: String
    let columns: Int
    let key: [Int]
    let rowidColumn: Int?

    var keyCount: Int { max(key.count, 1) }
    /// How many columns the key does not hold.
    var otherCount: Int { columns - key.count - (rowidColumn == nil ? 0 : 1) }
}

/// Reads what a `RowWriter` wrote, and anything else without harm: nothing is believed about the bytes.
struct RowReader {
    /// SQLite's own limit.
    private static let maximumColumns: UInt64 = 32_767

    private let bytes: UnsafeRawBufferPointer
    private var offset = 1
    private var tables: [RowTable] = []
    private var current: RowTable?

    /// The bytes live longer than the reader.
    init(_ bytes: UnsafeRawBufferPointer) throws(RowChangesFault) {
        guard let version = bytes.first else { throw .malformed(at: 0) }
        guard version == RowWriter.version else { throw .version(version) }
        self.bytes = bytes
    }

    /// The next step; nil at the end.
    mutating func next() throws(RowChangesFault) -> RowStep? {
        while offset < bytes.count {
            let start = offset
            guard let tag = RowWriter.Tag(rawValue: try byte()) else { throw .malformed(at: start) }
            switch tag {
            case .statement:
                (tables, current) = ([], nil)
                return .statement(try text())
            case .table: try define()
            case .use:
                let number = try count(below: UInt64(tables.count))
                current = tables[number]
            case .insert:
                let table = try table()
                return .insert(table: table, values: try values(table.keyCount + table.otherCount))
            case .delete:
                let table = try table()
                return .delete(table: table, key: try values(table.keyCount))
            case .update, .move: return try update(isMove: tag == .move)
            }
        }
        return nil
    }

    private mutating func define() throws(RowChangesFault) {
        let name = try text()
        let start = offset
        let columns = try count(below: Self.maximumColumns + 1)
        let keyCount = try count(below: UInt64(columns) + 1)
        var (key, rowidColumn): ([Int], Int?) = ([], nil)
        if keyCount == 0 {
            let alias = try count(below: UInt64(columns) + 1)
            if alias > 0 { rowidColumn = alias - 1 }
        }
        for _ in 0..<keyCount { key.append(try count(below: UInt64(columns))) }
        guard columns > 0, Set(key).count == key.count else { throw .malformed(at: start) }
        let table = RowTable(name: name, columns: columns, key: key, rowidColumn: rowidColumn)
        tables.append(table)
        current = table
    }

    private func table() throws(RowChangesFault) -> RowTable {
        guard let current else { throw .malformed(at: offset) }
        return current
    }

    private mutating func update(isMove: Bool) throws(RowChangesFault) -> RowStep {
        let start = offset
        let table = try table()
        guard !isMove || table.key.isEmpty else { throw .malformed(at: start) }
        let key = try values(table.keyCount)
        let rowid = isMove ? try value() : nil
        var (columns, values): ([Int], [RowValue]) = ([], [])
        while true {
            let place = offset
            let number = try count(below: UInt64(table.columns) + 1)
            if number == 0 { break }
            guard number - 1 > columns.last ?? -1, number - 1 != table.rowidColumn else {
                throw .malformed(at: place)
            }
            columns.append(number - 1)
            values.append(try value())
        }
        guard isMove || !columns.isEmpty else { throw .malformed(at: start) }
        return .update(table: table, key: key, rowid: rowid, columns: columns, values: values)
    }

    private mutating func values(_ count: Int) throws(RowChangesFault) -> [RowValue] {
        // Each has a byte at least.
        guard count <= bytes.count - offset else { throw .malformed(at: offset) }
        var values: [RowValue] = []
        values.reserveCapacity(count)
        for _ in 0..<count { values.append(try value()) }
        return values
    }

    private mutating func value() throws(RowChangesFault) -> RowValue {
        let head = try number()
        switch head {
        case 0: return .null
        case 1:
            let place = try range(8)
            let bits = bytes.loadUnaligned(fromByteOffset: place.lowerBound, as: UInt64.self)
            return .real(Double(bitPattern: UInt64(littleEndian: bits)))
        case 2:
            let number = try number()
            return .integer(Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1))
        case _ where head.isMultiple(of: 2): return .blob(try range((head - 4) / 2))
        default: return .text(try range((head - 3) / 2))
        }
    }

    // MARK: Bytes

    private mutating func byte() throws(RowChangesFault) -> UInt8 {
        guard offset < bytes.count else { throw .malformed(at: offset) }
        defer { offset += 1 }
        return bytes[offset]
    }

    private mutating func number() throws(RowChangesFault) -> UInt64 {
        let start = offset
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), through: 63, by: 7) {
            let byte = try byte()
            guard shift < 63 || byte <= 1 else { break }
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
        }
        throw .malformed(at: start)
    }

    private mutating func count(below limit: UInt64) throws(RowChangesFault) -> Int {
        let start = offset
        let number = try number()
        guard number < limit else { throw .malformed(at: start) }
        return Int(number)
    }

    /// The next bytes, as a place.
    private mutating func range(_ count: UInt64) throws(RowChangesFault) -> Range<Int> {
        guard count <= UInt64(bytes.count - offset) else { throw .malformed(at: offset) }
        defer { offset += Int(count) }
        return offset..<offset + Int(count)
    }

    private mutating func text() throws(RowChangesFault) -> String {
        let count = try number()
        return String(decoding: bytes[try range(count)], as: UTF8.self)
    }
}
