import Contracts
import Foundation
import Testing

/// The bytes of every message that one program may send another; the files are added to and never changed.
@Suite struct `Golden files` {
    @Test(arguments: GoldenFile.all)
    func `A message is written with the bytes of its golden file`(file: GoldenFile) throws {
        let bytes = try file.contents()
        let written = try file.roundTrip(bytes)
        #expect(String(decoding: written, as: UTF8.self) == String(decoding: bytes, as: UTF8.self))
        // An escape is not of the plain form; only events that nobody could handle have one.
        #expect(try file.plainRoundTrip(bytes) == (bytes.contains(UInt8(ascii: "\\")) ? nil : bytes))
    }

    @Test(arguments: GoldenFile.all)
    func `Members that this version does not know are passed over`(file: GoldenFile) throws {
        let bytes = try file.contents()
        let message = try JSONDecoder().decode(JSONValue.self, from: bytes)
        let newer = try JSONEncoder().encode(Self.withUnknownMembers(message))
        let written = try file.roundTrip(newer)
        #expect(String(decoding: written, as: UTF8.self) == String(decoding: bytes, as: UTF8.self))
    }

    @Test(arguments: GoldenFile.all)
    func `A member that is left out is refused or stays left out, and is never written as null`(
        file: GoldenFile
    ) throws {
        let message = try JSONDecoder().decode(JSONValue.self, from: file.contents())
        for path in Self.paths(in: message) where path != ["type"] && path != ["specversion"] {
            let shorter = Self.without(path[...], message)
            let written: Data
            let text = Data(try EventCoder.encoder().encode(shorter))
            let plain = try file.plainRoundTrip(text)
            do {
                written = try file.roundTrip(text)
            } catch {
                #expect(plain == nil)
                continue
            }
            #expect(plain == written || text.contains(UInt8(ascii: "\\")))
            let members = try JSONDecoder().decode(JSONValue.self, from: written)
            if path == ["data", "transaction", "quantity"], members == message.quantityOne { continue }
            #expect(members == shorter, "without \(path.joined(separator: "."))")
        }
    }

    @Test func `Every contract and every reply in the sources has a golden file, and no file is left over`()
        throws
    {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Shared/Contracts")
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path())
        var expected: Set<String> = []
        for name in names where name.hasSuffix(".swift") {
            let source = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            for match in source.matches(of: /static let type: EventType = "([^"]+)"/) {
                expected.insert(String(match.1))
            }
            for match in source.matches(of: /typealias Reply = \[?(\w+)/) { expected.insert(String(match.1)) }
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: GoldenFile.folder.path())
        let tested = GoldenFile.all.map(\.name)
        #expect(expected.count > 30)
        #expect(Set(files) == Set(expected.map { $0 + ".json" }))
        #expect(Set(tested) == expected)
        #expect(tested.count == expected.count)
    }

    /// Objects whose members are the studio's or the service's own words.
    private static let free: Set<String> = [
        "metadata", "balances", "counters", "messages", "messageMicroseconds", "gauges", "alarms",
        "commitmentInfo", "multiSeatInfo", "advancedCommerceInfo",
    ]

    private static func withUnknownMembers(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let members):
            var newer: [String: JSONValue] = ["aMemberOfTomorrow": .object(["zoom": .array([.integer(1)])])]
            for (key, member) in members {
                newer[key] = free.contains(key) ? member : withUnknownMembers(member)
            }
            return .object(newer)
        case .array(let elements): return .array(elements.map(withUnknownMembers))
        case .null, .bool, .integer, .number, .string: return value
        }
    }

    /// The paths of all members, through objects only.
    private static func paths(in value: JSONValue) -> [[String]] {
        guard case .object(let members) = value else { return [] }
        return members.flatMap { key, member in
            [[key]] + (free.contains(key) ? [] : paths(in: member).map { [key] + $0 })
        }
    }

    private static func without(_ path: ArraySlice<String>, _ value: JSONValue) -> JSONValue {
        guard case .object(var members) = value, let key = path.first else { return value }
        members[key] = path.count == 1 ? nil : members[key].map { without(path.dropFirst(), $0) }
        return .object(members)
    }
}

extension JSONValue {
    /// The message with a quantity of 1, which is what a transaction without one means.
    fileprivate var quantityOne: JSONValue {
        guard case .object(var members) = self, case .object(var data) = members["data"],
            case .object(var transaction) = data["transaction"]
        else { return self }
        transaction["quantity"] = .integer(1)
        data["transaction"] = .object(transaction)
        members["data"] = .object(data)
        return .object(members)
    }
}
