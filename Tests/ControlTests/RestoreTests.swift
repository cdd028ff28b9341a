import Contracts
import Delivery
import Foundation
import Testing

@testable import Control
@testable import Program

/// What `counterfoil restore` keeps between two attempts, and how it writes.
@Suite(.temporaryFolder) struct `a restore` {
    private static let orders0 = PartitionAddress(.orders, 0)
    private static let receipts1 = PartitionAddress(.receipts, 1)

    private let home: Home

    init() throws {
        home = try .initialised()
    }

    private func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    private func text(of path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    }

    @Test func `that did not end is read as it was recorded, one partition a line`() throws {
        #expect(try RestoreRecord.unfinished(in: home) == nil)
        let record = RestoreRecord(
            beganAt: Timestamp(milliseconds: 1_760_000_000_000),
            isNewHome: true,
            partitions: [Self.orders0, Self.receipts1]
        )
        try record.write(in: home)
        #expect(try RestoreRecord.unfinished(in: home) == record)
        let lines = try text(of: home.restoreMark.path).split(separator: "\n")
        #expect(lines.contains { $0.contains(#""/orders/0""#) && !$0.contains("/receipts/1") })
        try DurableFile.remove(home.restoreMark.path)
        #expect(try RestoreRecord.unfinished(in: home) == nil)
        try write("{", to: home.restoreMark.path)
        #expect(throws: ConfigurationError.self) { try RestoreRecord.unfinished(in: home) }
    }

    @Test func `goes on with at least the partitions that it was to put back`() throws {
        let record = RestoreRecord(
            beganAt: Timestamp(milliseconds: 0),
            isNewHome: false,
            partitions: [Self.orders0]
        )
        #expect(throws: Never.self) {
            try record.checkContinued(with: [Self.orders0, Self.receipts1], in: home)
        }
        let refusal = try #require(throws: ConfigurationError.self) {
            try record.checkContinued(with: [Self.receipts1], in: home)
        }
        #expect(refusal.description.contains("/orders/0, too"))
    }

    @Test func `keeps the store that lay there, whatever an earlier attempt has put in its place`() throws {
        let (place, began) = (home.store(of: Self.orders0), Timestamp(milliseconds: 0))
        let former = FormerStore(of: Self.orders0, in: home, since: began)
        #expect(former.path == nil)
        #expect(try former.keep() == nil)
        try write("former", to: place)
        try write("log", to: place + "-wal")
        #expect(former.path == place)
        let kept = try #require(try former.keep())
        #expect(kept.hasPrefix(home.dataFolder + "/former/\(began.rfc3339)/"))
        try DurableFile.remove(place)
        try write("restored", to: place)
        #expect(former.path == kept)
        #expect(try former.keep() == kept)
        #expect(try text(of: kept) == "former")
        #expect(try text(of: kept + "-wal") == "log")
    }

    @Test func `replaces a file in one step, and overwrites what an earlier attempt has left`() throws {
        let file = home.dataFolder + "/file"
        try write("left", to: file + ".new")
        for content in ["one", "two"] {
            let before = FileManager.default.contents(atPath: file)
            var steps: [DurableFile.Step] = []
            try DurableFile.replace(file, with: Data(content.utf8)) { step in
                steps.append(step)
                let expected: Data? = step == .renamed ? Data(content.utf8) : before
                #expect(FileManager.default.contents(atPath: file) == expected)
            }
            #expect(steps == [.opened, .written, .synchronized, .renamed])
        }
        #expect(!FileManager.default.fileExists(atPath: file + ".new"))
    }

    @Test func `replaces a file for the same readers before anybody sees the new one`() throws {
        let file = home.dataFolder + "/file"
        try write("one", to: file)
        for mode in [0o640, 0o600] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
            try DurableFile.replace(file, with: Data("two".utf8), forReadersOf: file) { step in
                if step == .written { #expect(Self.mode(of: file + ".new") == mode) }
                if step == .renamed { #expect(Self.mode(of: file) == mode) }
            }
        }
    }

    /// Nil where there is no such file.
    private static func mode(of file: String) -> Int? {
        do {
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            return (attributes[.posixPermissions] as? NSNumber)?.intValue
        } catch {
            return nil
        }
    }
}
