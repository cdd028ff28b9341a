// swift-format-ignore-file: it is written as Apple's declarations are, which others document
// What the model uses of Combine.
public protocol ObservableObject: AnyObject {}

@propertyWrapper public struct Published<Value> {
    public var wrappedValue: Value

    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}
