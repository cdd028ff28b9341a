import Contracts
import Foundation
import Glibc

/// What was sold and refunded: the latest in memory, all of it in a file to which is only ever appended.
///
/// One line per statement, so that a refund made after a restart finds its purchase. At `maximumFileBytes`
/// the file becomes the previous one, and the one before that is forgotten.
actor SalesRegister {
    /// Transactions kept in memory; older ones are looked up in the files.
    static let maximumRemembered = 50_000
    static let maximumFileBytes = 64 * 1_024 * 1_024
    private static let chunkBytes = 1_024 * 1_024

    private let path: String
    private let previousPath: String
    private var file: FileHandle
    private var remembered: [String: SignedTransaction] = [:]
    private var order: [String] = []

    init(folder: String) throws {
        path = folder + "/sales.jsonl"
        previousPath = folder + "/sales.previous.jsonl"
        file = try Self.appending(to: path)
    }

    /// Writes the transactions down, then remembers them.
    func add(_ transactions: [SignedTransaction]) throws {
        var lines = Data()
        for transaction in transactions {
            lines.append(try JSONEncoder().encode(transaction))
            lines.append(UInt8(ascii: "\n"))
        }
        if try file.offset() + UInt64(lines.count) > Self.maximumFileBytes { try turnOver() }
        try file.write(contentsOf: lines)
        for transaction in transactions { remember(transaction) }
    }

    /// The latest statement about a transaction, or nil when it was not sold here.
    func latest(_ transactionId: String) throws -> SignedTransaction? {
        if let transaction = remembered[transactionId] { return transaction }
        return try search(path, for: transactionId) ?? search(previousPath, for: transactionId)
    }

    private func remember(_ transaction: SignedTransaction) {
        let id = transaction.transactionId
        if remembered.updateValue(transaction, forKey: id) == nil { order.append(id) }
        guard order.count > Self.maximumRemembered else { return }
        for forgotten in order.prefix(Self.maximumRemembered / 10) { remembered[forgotten] = nil }
        order.removeFirst(Self.maximumRemembered / 10)
    }

    private func turnOver() throws {
        guard rename(path, previousPath) == 0 else {
            throw WrongConfiguration(description: "cannot rename \(path)")
        }
        file = try Self.appending(to: path)
    }

    private func search(_ path: String, for transactionId: String) throws -> SignedTransaction? {
        guard let reader = FileHandle(forReadingAtPath: path) else { return nil }
        let wanted = Data(#""transactionId":"\#(transactionId)""#.utf8)
        var found: Data?
        var pending = Data()
        while let chunk = try reader.read(upToCount: Self.chunkBytes), !chunk.isEmpty {
            pending.append(chunk)
            guard let end = pending.lastIndex(of: UInt8(ascii: "\n")) else { continue }
            for line in pending[..<end].split(separator: UInt8(ascii: "\n"))
            where line.range(of: wanted) != nil {
                found = line
            }
            pending = Data(pending[(end + 1)...])
        }
        return try found.map { try JSONDecoder().decode(SignedTransaction.self, from: $0) }
    }

    private static func appending(to path: String) throws -> FileHandle {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw WrongConfiguration(description: "cannot write \(path): \(String(cString: strerror(errno)))")
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try file.seekToEnd()
        return file
    }
}
