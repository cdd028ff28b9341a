// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase, OmitExplicitReturns
// What the sample uses of SwiftUI.
public import Combine

@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

extension Never: View {
    public var body: Never { return preconditionFailure("there is no such view") }
}

/// A view without a body.
public protocol Primitive: View where Body == Never {}

extension Primitive {
    public var body: Never { return preconditionFailure("it is drawn by the system") }
}

@resultBuilder public struct ViewBuilder {
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> Group {
        Group()
    }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { return content }
    public static func buildEither(first: some View) -> Group { Group() }
    public static func buildEither(second: some View) -> Group { Group() }
}

extension Optional: View, Primitive where Wrapped: View {}

public struct Group: Primitive {
    nonisolated init() {}
}

public struct Text: Primitive {
    public init(_ text: String) {}
}

public struct ProgressView: Primitive {
    public init(_ text: String) {}
}

public struct Spacer: Primitive {
    public init() {}
}

public struct Button: Primitive {
    public init(_ title: String, action: @escaping @MainActor () -> Void) {}
}

public struct HStack: Primitive {
    public init(@ViewBuilder content: () -> some View) {}
}

public struct VStack: Primitive {
    public init(@ViewBuilder content: () -> some View) {}
}

public struct List: Primitive {
    public init(@ViewBuilder content: () -> some View) {}
}

public struct ForEach<Item: Identifiable>: Primitive {
    public init(_ items: [Item], @ViewBuilder content: @escaping (Item) -> some View) {}
}

extension View {
    public func task(_ action: @escaping @Sendable @MainActor () async -> Void) -> some View { self }
    public func disabled(_ isDisabled: Bool) -> some View { self }
    public func onChange<Value: Equatable>(of value: Value, perform: @escaping (Value) -> Void) -> some View {
        self
    }
}

public enum ScenePhase: Sendable { case background, inactive, active }

public struct EnvironmentValues {
    public var scenePhase: ScenePhase { .active }
}

@propertyWrapper public struct Environment<Value> {
    public let wrappedValue: Value

    public init(_ path: KeyPath<EnvironmentValues, Value>) {
        wrappedValue = EnvironmentValues()[keyPath: path]
    }
}

@MainActor @propertyWrapper public struct StateObject<Object: ObservableObject> {
    public let wrappedValue: Object

    public init(wrappedValue: @autoclosure () -> Object) { self.wrappedValue = wrappedValue() }
}

@MainActor @propertyWrapper public struct ObservedObject<Object: ObservableObject> {
    public let wrappedValue: Object

    public init(wrappedValue: Object) { self.wrappedValue = wrappedValue }
}

@MainActor @preconcurrency public protocol Scene {}

public struct WindowGroup: Scene {
    public init(@ViewBuilder content: () -> some View) {}
}

@MainActor @preconcurrency public protocol App {
    associatedtype Content: Scene
    var body: Content { get }
    init()
}

extension App {
    public static func main() {}
}
