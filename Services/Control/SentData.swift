import Contracts
import Delivery
import Foundation
import Program

/// What `counterfoil send` is given as the data of a message, and what to say when it is of no use.
struct SentData {
    /// The most of a value that is repeated in a complaint, in characters.
    private static let shownLength = 64

    let value: JSONValue
    private let name: String
    private let text: JSONText

    /// JSON, or `@` and the name of a file that holds it.
    ///
    /// - Throws: `CommandFailure` that says where it is not JSON.
    init(_ argument: String) throws {
        let file = argument.hasPrefix("@") ? String(argument.dropFirst()) : nil
        name = file ?? "--data"
        let bytes: Data
        do {
            bytes = try file.map { try Data(contentsOf: URL(filePath: $0)) } ?? Data(argument.utf8)
        } catch {
            throw Self.fault("\(name) cannot be read: \(FileAccess.reason(of: error) ?? "is it there?")")
        }
        do {
            text = try JSONText(bytes)
        } catch {
            throw Self.fault("\(name) is not JSON: \(error)")
        }
        do {
            value = try JSONDecoder().decode(JSONValue.self, from: bytes)
        } catch {
            throw Self.fault("\(name) is not JSON that can be read: it is nested too deeply")
        }
        guard case .object = value else {
            throw Self.fault("\(name) must be an object, such as {\"bundleId\":\"…\"}")
        }
    }

    private static func fault(_ problem: String) -> CommandFailure {
        CommandFailure(description: problem, exitCode: Launch.usageCode)
    }

    /// Why it leads to no partition: a member that should, and whose value cannot, or that there is none.
    var addresseeProblem: String {
        for (member, kind) in Addressee.members {
            guard let value = value(at: [.member(member)]) else { continue }
            if case .string(let text) = value, Addressee.isUsable(text, as: member) { continue }
            let place = text.place(of: [.member(member)])
            return "\(name): \(place): \(member) is \(Self.shown(value)), which is not \(kind)"
        }
        return "the data names no buyer, order or receipt; say --partition"
    }

    /// What a partition refused, with the place and the value that it names.
    func complaint(_ failure: CommandFailure) -> CommandFailure {
        guard let detail = failure.refusal?.detail, let way = Self.way(named: detail),
            let value = value(at: way)
        else { return failure }
        var failure = failure
        failure.description += "; \(name): \(text.place(of: way)): \(way.text) is \(Self.shown(value))"
        return failure
    }

    /// The way to the member of the data that a complaint names, such as `…: data.items[0].id must be a string`.
    private static func way(named detail: String) -> [JSONText.Step]? {
        let words = detail.split { $0 == " " || $0 == ":" }
        guard let word = words.first(where: { $0.hasPrefix("data.") }) else { return nil }
        return word.dropFirst("data.".count).split(separator: ".").flatMap { part -> [JSONText.Step] in
            let pieces = part.split(separator: "[")
            let indices = pieces.dropFirst().compactMap { Int($0.dropLast()) }
            return [.member(String(pieces.first ?? ""))] + indices.map { .element($0) }
        }
    }

    private func value(at way: [JSONText.Step]) -> JSONValue? {
        way.reduce(value) { value, step in
            switch (value, step) {
            case (.object(let members)?, .member(let name)): members[name]
            case (.array(let values)?, .element(let index)) where values.indices.contains(index):
                values[index]
            default: nil
            }
        }
    }

    private static func shown(_ value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool(let flag): "\(flag)"
        case .integer(let number): "\(number)"
        case .number(let number): "\(number)"
        case .string(let text): "\"\(text.prefix(shownLength))\(text.count > shownLength ? "…" : "")\""
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension Addressee {
    /// The members by which a partition is found, with what their values are.
    static let members = [
        ("bundleId", "a bundle id"), ("originalTransactionId", "a transaction's id"),
        ("receiptId", "a receipt's id"),
        ("orderId", "an order's id"), ("appAccountToken", "a UUID"), ("buyerId", "a buyer's id"),
    ]

    /// Whether a text can be the value of such a member.
    static func isUsable(_ text: String, as member: String) -> Bool {
        switch member {
        case "bundleId": BundleID(rawValue: text) != nil
        case "originalTransactionId": TransactionID(rawValue: text) != nil
        case "receiptId": ReceiptID(rawValue: text) != nil
        case "orderId": OrderID(rawValue: text) != nil
        case "appAccountToken": UUID(uuidString: text) != nil
        default: BuyerID(rawValue: text) != nil
        }
    }
}
