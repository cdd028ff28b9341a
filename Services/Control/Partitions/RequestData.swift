import Contracts
import Delivery
import FoundationEssentials
import Program

/// A message's data for `counterfoil send`, and errors about it.
struct RequestData {
    /// Maximum characters of a value quoted in an error.
    private static let shownLength = 64

    let value: JSONValue
    private let name: String
    private let text: JSONText

    /// JSON, or `@` and a file name.
    init(_ argument: String) throws {
        let file = argument.hasPrefix("@") ? String(argument.dropFirst()) : nil
        name = file ?? "--data"
        let bytes: Data
        do {
            bytes = try file.map { try Data(contentsOf: URL(filePath: $0)) } ?? Data(argument.utf8)
        } catch {
            let reason = FileAccess.reason(of: error) ?? "is it there?"
            throw CommandFailure.usage("\(name) cannot be read: \(reason)")
        }
        do {
            text = try JSONText(bytes)
        } catch {
            throw CommandFailure.usage("\(name) is not JSON: \(error)")
        }
        do {
            value = try JSONDecoder().decode(JSONValue.self, from: bytes)
        } catch {
            throw CommandFailure.usage("\(name) is not JSON that can be read: it is nested too deeply")
        }
        guard case .object = value else {
            throw CommandFailure.usage("\(name) must be an object, such as {\"bundleId\":\"…\"}")
        }
    }

    /// Why the data selects no partition: the invalid member, or that none is present.
    var routingProblem: String {
        for member in PartitionRouter.members {
            guard let value = value.value(at: [.member(member.name)]) else { continue }
            if case .string(let text) = value, member.isValid(text) { continue }
            return "\(described(value, at: [.member(member.name)])), which is not \(member.kind)"
        }
        return "the data names no buyer, order or receipt; say --partition"
    }

    /// A partition's refusal, with the place and the value that it names.
    func located(_ failure: CommandFailure) -> CommandFailure {
        guard let detail = failure.refusal?.detail, let way = Self.way(named: detail),
            let value = value.value(at: way)
        else { return failure }
        var failure = failure
        failure.description += "; \(described(value, at: way))"
        return failure
    }

    /// The path of the member that a refusal names, such as `…: data.items[0].id must be a string`.
    private static func way(named detail: String) -> [JSONText.Step]? {
        let words = detail.split { $0 == " " || $0 == ":" }
        guard let word = words.first(where: { $0.hasPrefix("data.") }) else { return nil }
        return word.dropFirst("data.".count).split(separator: ".").flatMap { part -> [JSONText.Step] in
            let pieces = part.split(separator: "[")
            let indices = pieces.dropFirst().compactMap { Int($0.dropLast()) }
            return [.member(String(pieces.first ?? ""))] + indices.map { .element($0) }
        }
    }

    private func described(_ value: JSONValue, at way: [JSONText.Step]) -> String {
        "\(name): \(text.place(of: way)): \(way.text) is \(Self.shown(value))"
    }

    private static func shown(_ value: JSONValue) -> String {
        switch value {
        case .bool(let flag): "\(flag)"
        case .integer(let number): "\(number)"
        case .number(let number): "\(number)"
        case .string(let text): "\"\(text.prefix(shownLength))\(text.count > shownLength ? "…" : "")\""
        case .null, .array, .object: value.kind
        }
    }
}
