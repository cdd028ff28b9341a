import Contracts
import NIOCore
import NIOPosix

/// Reads a JSON body strictly; problems name the wrong member.
enum JSONBody {
    /// Most levels of nested arrays and objects.
    static let maximumDepth = 32
    /// Bytes above which a body is decoded apart from other requests.
    static let largeBytes = 64 << 10
    /// Bytes above which bodies are decoded one at a time.
    static let hugeBytes = 256 << 10

    private static let decoder = EventDecoder()
    private static let invalid = Problem.unreadable("The body is not valid JSON.")

    /// The value of a body; 400 when it is not JSON, 422 when a member is missing, of the wrong type or there twice.
    ///
    /// Members that it does not know are none of its business: phones and Apple may be newer than this program.
    static func decode<Body: NamedBody>(_ type: Body.Type, from body: ByteBuffer) throws(Problem) -> Body {
        try decodeWithNames(type, from: body).value
    }

    /// The same for a body whose members are all known; 422 names any other one.
    static func decode<Body: ExactBody>(_ type: Body.Type, from body: ByteBuffer) throws(Problem) -> Body {
        let (value, names) = try decodeWithNames(type, from: body)
        if let name = names.unknown { throw .unacceptable(name, "is not a known member") }
        return value
    }

    /// The values of a body that is a list, whose members are none of its business where it does not know them.
    static func decodeList<Element: Decodable>(
        _ type: Element.Type,
        from body: ByteBuffer
    ) throws(Problem) -> [Element] {
        let bytes = Array(body.readableBytesView)
        let isSpace: (UInt8) -> Bool = { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard bytes.first(where: { !isSpace($0) }) == UInt8(ascii: "[") else {
            throw .unreadable("The body must be a JSON array.")
        }
        _ = try checkShape(bytes, MemberNames([]))
        do {
            return try decoder.decode([Element].self, from: bytes)
        } catch {
            throw problem(error)
        }
    }

    private static func decodeWithNames<Body: NamedBody>(
        _ type: Body.Type,
        from body: ByteBuffer
    ) throws(Problem) -> (value: Body, names: MemberNames) {
        let bytes = Array(body.readableBytesView)
        let names = try checkShape(bytes, MemberNames(Body.CodingKeys.allCases.map(\.stringValue)))
        let value: Body
        do {
            value = try decoder.decode(type, from: bytes)
        } catch {
            throw problem(error)
        }
        if let name = names.repeated { throw .unacceptable(name, "is there more than once") }
        return (value, names)
    }

    /// Decodes a large body and checks it, on a separate thread, so that many of them do not hold up small ones.
    static func decodeApart<Body: NamedBody & Sendable, Value: Sendable>(
        _ type: Body.Type,
        from body: ByteBuffer,
        check: @escaping @Sendable (Body) throws -> Value
    ) async throws -> Value {
        guard body.readableBytes > largeBytes else { return try check(try decode(type, from: body)) }
        return try await NIOThreadPool.singleton.runIfActive { try check(try decode(type, from: body)) }
    }

    /// Refuses encodings other than UTF-8 and values nested too deeply; returns the names of the members.
    private static func checkShape(_ bytes: [UInt8], _ names: MemberNames) throws(Problem) -> MemberNames {
        guard !bytes.isEmpty else { throw .unreadable("The body is empty; send a JSON object.") }
        let (isUTF8, shape) = bytes.withUnsafeBytes { bytes in
            (String(validating: bytes, as: UTF8.self) != nil, Self.shape(of: bytes, names))
        }
        guard isUTF8 else { throw .unreadable("The body is not UTF-8.") }
        guard !shape.hasControlCharacter else { throw invalid }
        guard shape.depth <= maximumDepth else {
            throw .unreadable("The body has more than \(maximumDepth) levels of arrays and objects.")
        }
        return shape.names
    }

    private struct Shape {
        /// The deepest nesting of brackets.
        var depth = 0
        /// Whether there is a control character where JSON allows none.
        var hasControlCharacter = false
        var names: MemberNames

        /// Passes a string, most of a proof's bytes; returns where it ends, or the bytes do.
        mutating func endOfString(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
            var place = start
            while place < bytes.count {
                place += PlainRun(UnsafeRawBufferPointer(rebasing: bytes[place...])).count
                guard place < bytes.count else { break }
                switch bytes[place] {
                case UInt8(ascii: "\""): return place
                case UInt8(ascii: "\\"): place += 2
                default:
                    hasControlCharacter = true
                    place += 1
                }
            }
            return bytes.count
        }
    }

    private static func shape(of bytes: UnsafeRawBufferPointer, _ names: MemberNames) -> Shape {
        var (shape, open, place) = (Shape(names: names), 0, 0)
        // The last string; before a colon it is a name.
        var string: Range<Int>?
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\""):
                let start = place + 1
                place = shape.endOfString(in: bytes, from: start)
                string = start..<place
            case 0: shape.hasControlCharacter = true
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                open += 1
                shape.depth = max(shape.depth, open)
            case UInt8(ascii: "}"), UInt8(ascii: "]"): open -= 1
            case UInt8(ascii: ":") where open == 1:
                if let name = string { shape.names.note(bytes[name]) }
                string = nil
            default: break
            }
            place += 1
        }
        return shape
    }

    private static func problem(_ error: any Error) -> Problem {
        switch error as? DecodingError {
        case .keyNotFound(let key, let context):
            .unacceptable((context.codingPath + [key]).steps.text, "is missing")
        case .valueNotFound(let type, let context), .typeMismatch(let type, let context):
            wrongType(type, context.codingPath)
        case .dataCorrupted(let context) where !context.codingPath.isEmpty:
            .unacceptable(context.codingPath.steps.text, "has a value that cannot be represented")
        default: invalid
        }
    }

    private static func wrongType(_ type: any Any.Type, _ path: [any CodingKey]) -> Problem {
        guard !path.isEmpty else { return .unreadable("The body must be a JSON object.") }
        let isNumber = type is Double.Type
        let expected = isNumber ? "a value whose numbers fit into 64 bits" : DecodingError.jsonName(of: type)
        return .unacceptable(path.steps.text, "must be \(expected)")
    }
}
