/// A body that names the members it reads.
protocol NamedBody: Decodable {
    associatedtype CodingKeys: CodingKey & CaseIterable
}

/// A body whose members are all known, so that another one is a slip of the caller's.
protocol ExactBody: NamedBody {}
