/// A body that names the members it reads.
protocol NamedBody: Decodable {
    associatedtype CodingKeys: CodingKey & CaseIterable
}
